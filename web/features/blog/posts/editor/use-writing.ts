import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { blog, type Post } from '#contracts/blog/blog.ts'
import { ApiError } from '#contracts/client.ts'
import { errorMessage } from '#web/api.ts'
import { clearSession, storedToken } from '#web/session/session.ts'
import { useAutosave } from '#web/ui/lib/use-autosave.ts'
import { editorApi } from '../../queries.ts'
import {
  type Draft,
  emptyDraft,
  instantOfAppearance,
  isComplete,
  publishingForm,
  toPostDraft,
  toPostForm,
} from './draft.ts'
import { forgetCopy, storeCopy } from './stored-copy.ts'

const REQUIRED = 'Title and content are required fields'
const NO_TOKEN = 'Authentication required. Please log in again.'
const REFUSED_TOKEN = 'Authentication failed. Please log in again.'
/** From success to the list, and long enough to read why the login page comes. */
export const REDIRECT_MS = 2_000

type Phase = 'writing' | 'submitting' | 'done'

function save(before: Post | undefined, form: FormData) {
  return before ? editorApi(blog.update, { params: { id: before.id }, form }) : editorApi(blog.create, { form })
}

/** What is written, and the post it was last saved as: of both the state shown and the latest, which a save needs. */
function useDraft(post: Post | undefined, author: string | undefined) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Draft>(() => (post ? toPostDraft(post) : emptyDraft(author)))
  const [known, setKnown] = useState(post)
  const saved = useRef(post)
  const latest = useRef(draft)

  function update(changes: Partial<Draft>) {
    latest.current = { ...latest.current, ...changes }
    setDraft(latest.current)
  }

  /** A file that was sent need not be sent again, and a slug made by the server is shown. */
  function remember(now: Post, sent: Draft) {
    saved.current = now
    setKnown(now)
    update({
      ...(latest.current.cover === sent.cover && { cover: now.coverImage }),
      ...(latest.current.slug === sent.slug && { slug: now.slug }),
    })
    void queries.invalidateQueries({ queryKey: ['blog', 'posts'] })
  }

  return { draft, known, saved, latest, update, remember }
}

/** Saves a draft as it is written. `onSaved`: nothing was written meanwhile. */
function useDraftAutosave(
  { saved, latest, remember }: ReturnType<typeof useDraft>,
  { onSaved, onConflict }: { onSaved: () => void; onConflict: () => void },
) {
  return useAutosave<Draft>(async () => {
    const sent = latest.current
    if (!isComplete(sent)) return
    const form = toPostForm(sent, saved.current)
    if (!saved.current) form.append('state', 'draft')
    try {
      const { post } = await save(saved.current, form)
      if (!saved.current) forgetCopy(undefined)
      remember(post, sent)
      forgetCopy(post.id)
      if (latest.current.title === sent.title && latest.current.content === sent.content) onSaved()
    } catch (cause) {
      if (isConflict(cause)) onConflict()
      throw cause
    }
  }, 1_500)
}

/** While a tab is closed nothing more can be asked: the browser warns. */
function useCloseWarning(isActive: boolean) {
  useEffect(() => {
    if (!isActive) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isActive])
}

/** Why a draft cannot be published, in words; undefined: it can. */
function obstacleTo(draft: Draft): string | undefined {
  if (!isComplete(draft)) return REQUIRED
  if (draft.appears.kind === 'later' && !instantOfAppearance(draft.appears))
    return 'Choose a date and time for this post'
  return undefined
}

interface WritingOptions {
  /** Whether a draft is saved as it is written. */
  autosaves: boolean
  /** Who signs a new post. */
  author?: string
}

export type Writing = ReturnType<typeof useWriting>

/**
 * Everything a writer's form knows: what is written, whether it is saved, and what came of saving it. Posts nobody reads
 * yet are saved as they are written; of the others a copy stays in this browser until they are updated.
 */
export function useWriting(post: Post | undefined, { autosaves, author }: WritingOptions) {
  const navigate = useNavigate()
  const here = useLocation()
  const written = useDraft(post, author)
  const { draft, known, saved, latest, update, remember } = written
  const [phase, setPhase] = useState<Phase>('writing')
  const [error, setError] = useState<string | null>(null)
  const [success, setSuccess] = useState<string | null>(null)
  const [conflict, setConflict] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [shown, setShown] = useState(false)
  useCloseWarning(dirty && phase === 'writing')

  const saving = useDraftAutosave(written, {
    onSaved: () => setDirty(false),
    onConflict: () => setConflict(true),
  })
  const drafted = autosaves && (!known || known.state === 'draft')

  function change(changes: Partial<Draft>) {
    update(changes)
    setDirty(true)
    setError(null)
    storeCopy(saved.current?.id, latest.current, saved.current?.version)
    // When it appears is decided by the button and not by the way.
    if (drafted && !conflict && isComplete(latest.current) && !('appears' in changes)) saving.change(changes)
  }

  /** Takes the text as the editor shows it. That is what is saved, and no change of the writer's. */
  function showContent(content: string) {
    update({ content })
    setShown(true)
  }

  function leave(to: string, message?: string) {
    if (message) setError(message)
    setDirty(false)
    setPhase('done')
    setTimeout(() => {
      if (to === '/login') clearSession()
      void navigate(to, to === '/login' ? { state: { from: here } } : {})
    }, REDIRECT_MS)
  }

  async function submit() {
    setError(null)
    const wrong = obstacleTo(latest.current)
    if (wrong) return setError(wrong)
    if (!storedToken()) return leave('/login', NO_TOKEN)
    setPhase('submitting')
    if (drafted) await saving.flush()
    try {
      const sent = latest.current
      const response = await save(saved.current, publishingForm(sent, saved.current))
      forgetCopy(saved.current?.id)
      remember(response.post, sent)
      setConflict(false)
      setDirty(false)
      if (!post) return setPhase(response.post.state === 'draft' ? 'writing' : 'done')
      setSuccess(response.message)
      leave('/admin/blog')
    } catch (cause) {
      setPhase('writing')
      if (cause instanceof ApiError && cause.status === 401) return leave('/login', REFUSED_TOKEN)
      if (isConflict(cause)) setConflict(true)
      setError(describeFailure(cause, saved.current))
    }
  }

  /** After a conflict: saves over what somebody else saved, because the writer says so. */
  async function saveOver() {
    if (!saved.current) return
    try {
      const now = await editorApi(blog.get, { params: { id: saved.current.id } })
      saved.current = { ...saved.current, version: now.version }
      setConflict(false)
      await submit()
    } catch (cause) {
      setError(errorMessage(cause))
    }
  }

  return {
    draft,
    change,
    shown,
    showContent,
    submit,
    saveOver,
    phase,
    error,
    success,
    conflict,
    dirty,
    saving,
    drafted,
    post: known,
  }
}

const isConflict = (cause: unknown) => cause instanceof ApiError && cause.code === 'changed_meanwhile'

/** The server's own words where it has some. */
function describeFailure(cause: unknown, before: Post | undefined): string {
  const fallback = before ? 'Failed to update blog post' : 'Failed to create blog post'
  if (!(cause instanceof ApiError)) return cause instanceof TypeError ? fallback : errorMessage(cause)
  return cause.code === 'unknown' ? fallback : cause.message || fallback
}
