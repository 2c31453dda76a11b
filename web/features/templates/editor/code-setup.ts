import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { html } from '@codemirror/lang-html'
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintGutter } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colors = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--color-accent-text)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--color-attention-text)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--color-good-text)' },
  {
    tag: [tags.comment, tags.documentMeta, tags.processingInstruction],
    color: 'var(--color-muted)',
    fontStyle: 'italic',
  },
  { tag: [tags.keyword, tags.number, tags.unit, tags.color], color: 'var(--color-harm-text)' },
])

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--color-ink)', backgroundColor: 'var(--color-raised)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--color-ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-sunken)',
    color: 'var(--color-muted)',
    borderRight: '1px solid var(--color-line)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklch, var(--color-hover) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--color-hover)', color: 'var(--color-ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection': {
    backgroundColor: 'var(--color-accent-line)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--color-sunken)',
    borderColor: 'var(--color-line)',
    color: 'var(--color-muted)',
  },
  '.cm-panels, .cm-tooltip': {
    backgroundColor: 'var(--color-raised)',
    color: 'var(--color-ink)',
    borderColor: 'var(--color-line)',
  },
  '.cm-panel input, .cm-panel button': {
    color: 'var(--color-ink)',
    backgroundImage: 'none',
    backgroundColor: 'var(--color-surface)',
    border: '1px solid var(--color-control)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--color-attention-soft)' },
})

/** Everything the editor of an email can do but saving; colors come from the tokens, so that light and dark follow the page. */
export const codeSetup: Extension = [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  syntaxHighlighting(colors),
  look,
  html({ autoCloseTags: true }),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': 'Email source', spellcheck: 'false' }),
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
]
