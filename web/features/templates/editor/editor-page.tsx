import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useParams } from 'react-router'
import { ApiError } from '#contracts/client.ts'
import { SandboxPill } from '#web/features/shell/index.ts'
import { queryClient } from '#web/query.ts'
import { useUser } from '#web/session/queries.ts'
import { isLive, storeUser, useLiveToken } from '#web/session/session.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { FocusedPage, FocusedPageNotice } from '#web/ui/layout/focused-page.tsx'
import { Toaster } from '#web/ui/overlay/toaster.tsx'
import { EmailDrawing } from '#web/ui/theme/drawings.tsx'
import { useStarters, useTemplate } from '../queries.ts'
import { DemoEditor } from './demo-editor.tsx'
import { TemplateEditor } from './template-editor.tsx'

export const meta = () => [{ title: 'Template editor · Postlark' }, { name: 'robots', content: 'noindex' }]

/** Ids of templates are numbers; a word is a starter of ours. */
const isTemplateId = (id: string) => /^\d+$/.test(id)

/**
 * The template editor, which needs no account for a starter. A template of a workspace asks for signing in here, on the page
 * itself.
 */
export default function EditorPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <Content />
      <Toaster />
    </QueryClientProvider>
  )
}

function Content() {
  const { id = '' } = useParams()
  const token = useLiveToken()
  const isSignedIn = isLive(token ?? null)
  const user = useUser(isSignedIn)
  useEffect(() => {
    if (user.data) storeUser(user.data)
  }, [user.data])
  // The server does not know who is signed in.
  if (token === undefined)
    return (
      <>
        <Spinner className="py-24" />
        <noscript>The template editor needs JavaScript.</noscript>
      </>
    )
  if (!isTemplateId(id)) return <OpenStarter id={id} isSignedIn={isSignedIn} />
  return isSignedIn ? <OpenTemplate id={id} /> : <SignInPrompt />
}

function OpenStarter({ id, isSignedIn }: { id: string; isSignedIn: boolean }) {
  const starters = useStarters()
  const starter = starters.data?.items.find((one) => one.id === id)
  if (starter) return <DemoEditor key={id} starter={starter} isSignedIn={isSignedIn} />
  if (starters.isPending) return <Spinner className="py-24" />
  return (
    <Page isSignedIn={isSignedIn}>
      {starters.isError ? (
        <ErrorState
          title="The template could not be opened"
          error={starters.error}
          onRetry={() => starters.refetch()}
        />
      ) : (
        <NotFound isSignedIn={isSignedIn} />
      )}
    </Page>
  )
}

function OpenTemplate({ id }: { id: string }) {
  const template = useTemplate(id)
  if (template.data)
    return (
      <FocusedPageNotice value={<SandboxPill />}>
        <TemplateEditor key={id} template={template.data} />
      </FocusedPageNotice>
    )
  if (!template.isError) return <Spinner className="py-24" />
  return (
    <Page isSignedIn>
      {template.error instanceof ApiError && [400, 404].includes(template.error.status) ? (
        <NotFound isSignedIn />
      ) : (
        <ErrorState
          title="The template could not be opened"
          error={template.error}
          onRetry={() => template.refetch()}
        />
      )}
    </Page>
  )
}

function Page({ isSignedIn, children }: { isSignedIn: boolean; children: React.ReactNode }) {
  return (
    <FocusedPage exit={{ to: isSignedIn ? '/my-templates' : '/templates', label: 'templates' }}>{children}</FocusedPage>
  )
}

function NotFound({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <EmptyState
      drawing={<EmailDrawing />}
      title="Template not found"
      action={<ButtonLink to={isSignedIn ? '/my-templates' : '/templates'}>View templates</ButtonLink>}
    >
      It may have been removed, or it belongs to another workspace.
    </EmptyState>
  )
}

function SignInPrompt() {
  const location = useLocation()
  return (
    <Page isSignedIn={false}>
      <h1 className="sr-only">Template editor</h1>
      <EmptyState
        drawing={<EmailDrawing />}
        title="Log in to edit this template"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <ButtonLink to="/login" state={{ from: location }} kind="primary">
              Log in
            </ButtonLink>
            <ButtonLink to="/editor/newsletter">Try the editor without an account</ButtonLink>
          </div>
        }
      >
        Templates are private to their workspace.
      </EmptyState>
    </Page>
  )
}
