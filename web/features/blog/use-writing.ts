import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { blog, type Post } from '#contracts/blog.ts'
import { ApiError } from '#contracts/client.ts'
import { messageOf } from '#web/api.ts'
import { clearSession, storedToken } from '#web/session.ts'
import { useAutosave } from '#web/ui/use-autosave.ts'
import { editorApi } from './admin-queries.ts'
import { type Draft, draftOf, emptyDraft, formOf, instantOfAppearance, isComplete, publishingForm } from './draft.ts'
import { forgetCopy, keepCopy } from './kept-copy.ts'

const REQUIRED = 'Title and content are required fields'
const NO_TOKEN = 'Authentication required. Please log in again.'
const REFUSED_TOKEN = 'Authentication failed. Please log in again.'
/** From success to the list, and long enough to read why the login page comes. */
export const REDIRECT_MS = 2_000

type Phase = 'writing' | 'submitting' | 'done'

function save(before: Post | undefined, form: FormData) {
  return before ? editorApi(blog.update, { params: { id: before.id }, form }) : editorApi(blog.create, { form })
}

/**
 * Everything a writer's form knows: what is written, whether it is kept, and what came of saving it. Posts nobody reads
 * yet are saved as they are written; of the others a copy is kept in this browser until they are updated.
 */
export function useWriting(post: Post | undefined, autosaves: boolean) {
  const navigate = useNavigate()
  const here = useLocation()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Draft>(() => (post ? draftOf(post) : emptyDraft()))
  const [phase, setPhase] = useState<Phase>('writing')
  const [error, setError] = useState<string | null>(null)
  const [success, setSuccess] = useState<string | null>(null)
  const [conflict, setConflict] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [shown, setShown] = useState(false)
  const kept = useRef(post)
  const latest = useRef(draft)
  const [known, setKnown] = useState(post)

  function remember(saved: Post, sent: Draft) {
    kept.current = saved
    setKnown(saved)
    // A file that was sent need not be sent again, and a slug made by the server is shown.
    const update = (now: Draft): Draft => ({
      ...now,
      cover: now.cover === sent.cover ? saved.coverImage : now.cover,
      slug: now.slug === sent.slug ? saved.slug : now.slug,
    })
    latest.current = update(latest.current)
    setDraft(latest.current)
    void queries.invalidateQueries({ queryKey: ['blog', 'posts'] })
  }

  const saving = useAutosave<Draft>(async () => {
    const sent = latest.current
    if (!isComplete(sent)) return
    const form = formOf(sent, kept.current)
    if (!kept.current) form.append('state', 'draft')
    try {
      const { post: saved } = await save(kept.current, form)
      if (!kept.current) forgetCopy(undefined)
      remember(saved, sent)
      forgetCopy(saved.id)
      if (latest.current.title === sent.title && latest.current.content === sent.content) setDirty(false)
    } catch (cause) {
      if (isConflict(cause)) setConflict(true)
      throw cause
    }
  }, 1_500)
  const drafted = autosaves && (!known || known.state === 'draft')

  function change(changes: Partial<Draft>) {
    latest.current = { ...latest.current, ...changes }
    setDraft(latest.current)
    setDirty(true)
    setError(null)
    keepCopy(kept.current?.id, latest.current, kept.current?.version)
    // When it appears is decided by the button and not by the way.
    if (drafted && !conflict && isComplete(latest.current) && !('appears' in changes)) saving.change(changes)
  }

  /** Takes the text as the editor shows it. That is what is saved, and no change of the writer's. */
  function showContent(content: string) {
    latest.current = { ...latest.current, content }
    setDraft(latest.current)
    setShown(true)
  }

  // While a tab is closed nothing more can be asked: the browser warns.
  useEffect(() => {
    if (!dirty || phase !== 'writing') return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [dirty, phase])

  function leave(to: string, message?: string) {
    if (message) setError(message)
    setDirty(false)
    setPhase('done')
    setTimeout(() => {
      if (to === '/login') clearSession()
      void navigate(to, to === '/login' ? { state: { from: here } } : {})
    }, REDIRECT_MS)
  }

  function obstacle(): string | undefined {
    const { appears } = latest.current
    if (!isComplete(latest.current)) return REQUIRED
    if (appears.kind === 'later' && !instantOfAppearance(appears))
      return 'Choose a date and a time for the post to appear'
    return undefined
  }

  async function submit() {
    setError(null)
    const wrong = obstacle()
    if (wrong) return setError(wrong)
    if (!storedToken()) return leave('/login', NO_TOKEN)
    setPhase('submitting')
    if (drafted) await saving.flush()
    try {
      const sent = latest.current
      const answer = await save(kept.current, publishingForm(sent, kept.current))
      forgetCopy(kept.current?.id)
      remember(answer.post, sent)
      setConflict(false)
      setSuccess(answer.message)
      leave('/admin/blog')
    } catch (cause) {
      setPhase('writing')
      if (cause instanceof ApiError && cause.status === 401) return leave('/login', REFUSED_TOKEN)
      if (isConflict(cause)) setConflict(true)
      setError(failureOf(cause, kept.current))
    }
  }

  /** After a conflict: saves over what somebody else saved, because the writer says so. */
  async function saveOver() {
    if (!kept.current) return
    try {
      const now = await editorApi(blog.get, { params: { id: kept.current.id } })
      kept.current = { ...kept.current, version: now.version }
      setConflict(false)
      await submit()
    } catch (cause) {
      setError(messageOf(cause))
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
function failureOf(cause: unknown, before: Post | undefined): string {
  const fallback = before ? 'Failed to update blog post' : 'Failed to create blog post'
  if (!(cause instanceof ApiError)) return cause instanceof TypeError ? fallback : messageOf(cause)
  return cause.code === 'unknown' ? fallback : cause.message || fallback
}
