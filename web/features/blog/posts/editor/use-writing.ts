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
  isSame,
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

/** What came of the last submit, in words. */
interface Notice {
  error: string | null
  success: string | null
}
const NO_NOTICE: Notice = { error: null, success: null }

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

  /**
   * A file that was sent need not be sent again, and a slug made by the server is shown. What was written since it was sent
   * stays in a copy. Returns whether that is nothing.
   */
  function remember(now: Post, sent: Draft): boolean {
    const isAsSent = isSame(latest.current, sent)
    forgetCopy(saved.current?.id)
    saved.current = now
    setKnown(now)
    update({
      ...(latest.current.cover === sent.cover && { cover: now.coverImage }),
      ...(latest.current.slug === sent.slug && { slug: now.slug }),
    })
    if (!isAsSent) storeCopy(now.id, latest.current, now.version)
    void queries.invalidateQueries({ queryKey: ['blog', 'posts'] })
    return isAsSent
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
      if (remember(post, sent)) onSaved()
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

/** Leaves the page in a moment, so that what it says can be read. */
function useLeaving() {
  const navigate = useNavigate()
  const here = useLocation()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stay = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])

  function leaveForList() {
    timer.current = setTimeout(() => void navigate('/admin/blog'), REDIRECT_MS)
  }

  /** The way to the login page ends with the session, and nothing stops it. */
  function leaveForLogin() {
    setTimeout(() => {
      clearSession()
      void navigate('/login', { state: { from: here } })
    }, REDIRECT_MS)
  }

  return { stay, leaveForList, leaveForLogin }
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
  const { stay, leaveForList, leaveForLogin } = useLeaving()
  const written = useDraft(post, author)
  const { draft, known, saved, latest, update, remember } = written
  const [phase, setPhase] = useState<Phase>('writing')
  const [notice, setNotice] = useState<Notice>(NO_NOTICE)
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
    // Written on while the page was about to be left.
    if (notice.success !== null && phase === 'done') {
      stay()
      setPhase('writing')
    }
    setNotice(NO_NOTICE)
    storeCopy(saved.current?.id, latest.current, saved.current?.version)
    // When it appears is decided by the button and not by the way. What is written during a submit waits for its end.
    const saves = drafted && !conflict && phase !== 'submitting' && !('appears' in changes)
    if (saves && isComplete(latest.current)) saving.change(changes)
  }

  /** Takes the text as the editor shows it. That is what is saved, and no change of the writer's. */
  function showContent(content: string) {
    update({ content })
    setShown(true)
  }

  const setError = (error: string) => setNotice({ error, success: null })

  function endSession(message: string) {
    setError(message)
    setDirty(false)
    setPhase('done')
    leaveForLogin()
  }

  /** What is shown after a submit: the list, the post, or the text with what was written during it. */
  function settle({ post: now, message }: { post: Post; message: string }, sent: Draft) {
    const isAsSent = remember(now, sent)
    // All of it was sent.
    saving.discard()
    setConflict(false)
    setDirty(!isAsSent)
    if (post) setNotice({ error: null, success: message })
    setPhase(isAsSent && (post || now.state !== 'draft') ? 'done' : 'writing')
    if (isAsSent && post) leaveForList()
    if (!isAsSent && autosaves && now.state === 'draft') saving.change(latest.current)
  }

  async function submit() {
    setNotice(NO_NOTICE)
    const wrong = obstacleTo(latest.current)
    if (wrong) return setError(wrong)
    if (!storedToken()) return endSession(NO_TOKEN)
    setPhase('submitting')
    if (drafted) await saving.flush()
    const sent = latest.current
    try {
      settle(await save(saved.current, publishingForm(sent, saved.current)), sent)
    } catch (cause) {
      setPhase('writing')
      if (cause instanceof ApiError && cause.status === 401) return endSession(REFUSED_TOKEN)
      if (isConflict(cause)) setConflict(true)
      else if (drafted && !isSame(latest.current, sent)) saving.change(latest.current)
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
    ...notice,
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
