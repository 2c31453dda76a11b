import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { templates } from '#contracts/templates/templates.ts'
import { apiContext } from '#web/page-context.ts'
import { isLive, useToken } from '#web/session/session.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { keepWantedPage, takeWantedPage, wantedPage } from '#web/wanted-page.ts'
import { PageIntro } from '../layout/page-intro.tsx'
import { pageMeta } from '../layout/page-meta.ts'
import type { Route } from './+types/templates-page.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Templates · Postlark',
    description:
      'Starter templates: responsive, with a plain-text version and an unsubscribe link, ready for you to edit.',
    path: '/templates',
    image: 'templates',
  })

/** The starters, without their sources: those are fetched when one is taken. */
export async function loader({ context }: Route.LoaderArgs) {
  const { items } = await context.get(apiContext)(templates.starters)
  return { starters: items.map(({ id, name, description }) => ({ id, name, description })) }
}

/** Takes a starter into the editor: at once for who is signed in, else after signing up. */
function useStarter() {
  const token = useToken()
  const navigate = useNavigate()
  const [state, setState] = useState<{ busy?: string; error?: string }>({})
  const take = useCallback(
    async (id: string, replace = false) => {
      const search = `?use=${encodeURIComponent(id)}`
      if (!isLive(token ?? null)) {
        keepWantedPage(`/templates${search}`)
        await navigate('/signup', { state: { from: { pathname: '/templates', search } } })
        return
      }
      setState({ busy: id })
      try {
        const { takeStarter } = await import('./take-starter.ts')
        await navigate(await takeStarter(id), { replace })
      } catch (error) {
        setState({ error: error instanceof Error ? error.message : String(error) })
      }
    },
    [token, navigate],
  )
  return { ...state, take, signedIn: isLive(token ?? null) }
}

export default function TemplatesPage({ loaderData }: Route.ComponentProps) {
  const { busy, error, take, signedIn } = useStarter()
  const { pathname, search, state } = useLocation()

  // Back from signing up: what was asked for is taken once. A link from elsewhere takes nothing.
  useEffect(() => {
    const wanted = wantedPage() ?? (state as { wanted?: string } | null)?.wanted
    const id = new URLSearchParams(search).get('use')
    if (!signedIn || !id || wanted !== pathname + search) return
    takeWantedPage()
    void take(id, true)
  }, [pathname, search, state, signedIn, take])

  return (
    <>
      <PageIntro title="Starter templates">
        Every template is responsive, includes a plain-text version and an unsubscribe link, and can be changed in the
        editor.
      </PageIntro>
      <section className="bg-surface">
        <div className="mx-auto max-w-300 px-5 py-16 sm:px-8 wide:py-20">
          {error && (
            <p
              role="alert"
              className="mb-6 rounded-card border border-harm/35 bg-harm-soft px-4 py-3 text-base text-ink"
            >
              The template was not created: {error}
            </p>
          )}
          <ul className="grid gap-6 sm:grid-cols-2 wide:grid-cols-3">
            {loaderData.starters.map((starter, index) => (
              <li key={starter.id} className="flex flex-col overflow-hidden rounded-dialog border bg-page">
                <div className="overflow-hidden border-b bg-sunken p-5 pb-0">
                  <img
                    src={`/starters/${starter.id}.webp`}
                    alt={`Preview of the template ${starter.name}`}
                    width={640}
                    height={720}
                    loading={index < 3 ? 'eager' : 'lazy'}
                    className="aspect-8/9 w-full rounded-t-card border border-b-0 bg-white object-cover object-top"
                  />
                </div>
                <div className="flex flex-1 flex-col p-6">
                  <h2 className="text-lg font-semibold">{starter.name}</h2>
                  <p className="mt-2 mb-6 flex-1 text-base text-text">{starter.description}</p>
                  <div className="flex flex-wrap gap-2">
                    <Button busy={busy === starter.id} disabled={busy !== undefined} onClick={() => take(starter.id)}>
                      Use this template
                    </Button>
                    <ButtonLink to={`/editor/${starter.id}`} kind="quiet">
                      Try it in the editor<span className="sr-only">: {starter.name}</span>
                    </ButtonLink>
                  </div>
                </div>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </>
  )
}
