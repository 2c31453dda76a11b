import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { gmail } from '#contracts/gmail/gmail.ts'
import { api, errorMessage } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, PasswordInput } from '#web/ui/form/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { GoogleLink } from './google-link.tsx'
import { GMAIL_ACCOUNTS } from './paths.ts'
import { useSetup } from './queries.ts'

export const meta = () => [{ title: 'Google OAuth client · Postlark' }]

type Setup = NonNullable<ReturnType<typeof useSetup>['data']>

/** What to click in Google's console for a client of one's own, with everything to be copied, and where to enter it. */
export default function SetupPage() {
  const setup = useSetup()
  return (
    <>
      <PageHeader
        title="Your own Google OAuth client"
        description="Create it once in the Google console, in about ten minutes. Google then shows your name on its consent page instead of ours."
        back={{ to: GMAIL_ACCOUNTS, label: 'Accounts' }}
      />
      {setup.isPending && <SkeletonRows />}
      {setup.isError && !setup.data && (
        <ErrorState title="The page could not be loaded" error={setup.error} onRetry={() => setup.refetch()} />
      )}
      {setup.data && (
        <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,1fr)_22rem]">
          <Guide setup={setup.data} />
          <ClientCard setup={setup.data} />
        </div>
      )}
    </>
  )
}

function Guide({ setup }: { setup: Setup }) {
  return (
    <ol aria-label="Steps in the Google console" className="space-y-3">
      <Step number={1} title="Create a project">
        Open <GoogleLink to="https://console.cloud.google.com/projectcreate">Google’s console</GoogleLink>, sign in with
        the account that will own the client, name the project and choose <b>Create</b>.
      </Step>
      <Step number={2} title="Turn on the Gmail API">
        Open{' '}
        <GoogleLink to="https://console.cloud.google.com/apis/library/gmail.googleapis.com">the Gmail API</GoogleLink>{' '}
        and choose <b>Enable</b>.
      </Step>
      <Step number={3} title="Set up the consent page">
        Under <b>Google Auth Platform</b>, choose <b>Get started</b>. Enter a name and your address. As audience, choose{' '}
        <b>Internal</b> if all accounts belong to your Google Workspace. Otherwise choose <b>External</b>.
      </Step>
      <Step number={4} title="Add the scope">
        Under <b>Data Access</b> choose <b>Add or remove scopes</b> and paste this one. It only allows sending.
        <Copied label="Scope for sending" text={setup.sendScope} />
        <details className="mt-3">
          <summary className="w-fit rounded-control text-sm font-medium text-accent-text">
            Detect replies and bounces
          </summary>
          <p className="mt-2">
            Add this scope as well. Google classifies it as restricted and requires an app review unless you only use it
            for your own accounts.
          </p>
          <Copied label="Scope for reading" text={setup.readScope} />
        </details>
      </Step>
      <Step number={5} title="Publish the app">
        Under <b>Audience</b> choose <b>Publish app</b>. Its status must be <b>In production</b>. While it is in
        testing, Google ends every connection after seven days, and only test users can connect. An internal app does
        not need publishing. If Google says that the app is not verified, you can continue for your own accounts under{' '}
        <b>Advanced</b>.
      </Step>
      <Step number={6} title="Create the client">
        Under <b>Clients</b> choose <b>Create client</b>, choose the type <b>Web application</b>, and add this URL under{' '}
        <b>Authorized redirect URIs</b> exactly as shown.
        <Copied label="Redirect URL" text={setup.redirectUri} />
      </Step>
      <Step number={7} title="Enter the ID and secret here">
        Google shows both after you create the client. The secret is stored encrypted and never shown again.
      </Step>
    </ol>
  )
}

function Step({ number, title, children }: { number: number; title: string; children: React.ReactNode }) {
  return (
    <li className="flex gap-4 rounded-card border bg-surface p-4 sm:p-5">
      <span
        aria-hidden="true"
        className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-text"
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="text-base font-semibold">{title}</h2>
        <div className="mt-1 text-base text-text [&_b]:font-medium [&_b]:text-ink">{children}</div>
      </div>
    </li>
  )
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 rounded-control border bg-sunken py-1.5 pr-1.5 pl-3">
      <span className="min-w-0 flex-1 basis-40">
        <span className="block text-xs text-muted">{label}</span>
        <code className="font-mono text-sm break-all text-ink">{text}</code>
      </span>
      <CopyButton size="sm" text={text}>
        Copy
      </CopyButton>
    </div>
  )
}

function ClientCard({ setup }: { setup: Setup }) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api(gmail.removeClient),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['gmail-setup'] }),
    onError: (error) => toast.error(errorMessage(error)),
  })
  const { client } = setup
  return (
    <Card title={client?.own ? 'Your client' : 'Enter your client'} className="wide:sticky wide:top-6">
      {!setup.available && <Banner tone="attention">{setup.text}</Banner>}
      {client && !client.own && (
        <p className="mb-4 text-base text-text">
          This server already has an OAuth client, so you don’t need your own. If you add one, it is used instead.
        </p>
      )}
      {client?.own && (
        <div className="mb-5 space-y-3">
          <p className="text-base wrap-anywhere text-ink">{client.clientId}</p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink size="sm" kind="primary" to={GMAIL_ACCOUNTS}>
              Connect account
            </ButtonLink>
            <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
              Remove client
            </Button>
          </div>
          <p className="text-sm text-muted">
            Accounts connected with it keep working until Google requires a new token. Then you need to reconnect them.
          </p>
        </div>
      )}
      {setup.available && <ClientForm own={client?.own ?? false} />}
    </Card>
  )
}

type Fields = z.input<typeof gmail.saveClient.body>

function ClientForm({ own }: { own: boolean }) {
  const queries = useQueryClient()
  const { register, handleSubmit, setError, reset, formState } = useForm<Fields>({
    resolver: checkedBy(gmail.saveClient.body),
    defaultValues: { clientId: '', clientSecret: '' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async (body) => {
    try {
      await api(gmail.saveClient, { body })
      await queries.invalidateQueries({ queryKey: ['gmail-setup'] })
      toast.success('Client saved')
      reset()
    } catch (error) {
      showRefusal(setError, ['clientId', 'clientSecret'], error)
    }
  })
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      {own && <h3 className="border-t pt-4 text-base font-semibold">Use another client</h3>}
      <FormBanner error={errors.root?.message} />
      <Field label="Client ID" error={fieldError(errors, 'clientId', 'The client ID')}>
        <Input
          autoComplete="off"
          spellCheck={false}
          placeholder="….apps.googleusercontent.com"
          {...register('clientId')}
        />
      </Field>
      <Field label="Client secret" error={fieldError(errors, 'clientSecret', 'The client secret')}>
        <PasswordInput autoComplete="off" {...register('clientSecret')} />
      </Field>
      <Button kind={own ? 'secondary' : 'primary'} type="submit" busy={isSubmitting}>
        Save client
      </Button>
    </form>
  )
}
