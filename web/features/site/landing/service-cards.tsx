import { Link } from 'react-router'
import { services } from '../layout/site-content.ts'
import { ServicePiece } from './service-pieces.tsx'

/** The four services, each with a piece of its screen; a card opens the tool. */
export function ServiceCards() {
  return (
    <section className="border-y bg-surface">
      <div className="mx-auto max-w-300 px-5 py-24 sm:px-8 wide:py-32">
        <h2 className="max-w-[20ch] text-2xl font-semibold tracking-tight sm:text-3xl">Four tools in one place</h2>
        <p className="mt-4 max-w-[56ch] text-read text-muted">
          Contacts you find are ready for your next campaign, and every reply arrives in the same place.
        </p>
        <ul className="mt-12 grid gap-4 md:grid-cols-2">
          {services.map(({ id, name, description }) => (
            <li key={id} className="min-w-0">
              <Link
                to={`/dashboard?service=${id}`}
                className="group flex h-full flex-col overflow-hidden rounded-dialog border bg-page transition-colors hover:border-accent-line"
              >
                <div className="flex-1 p-6 pb-5 sm:p-7 sm:pb-6">
                  <h3 className="flex items-center gap-2 text-lg font-semibold">
                    {name}
                    <span
                      aria-hidden="true"
                      className="-translate-x-1 text-accent-text opacity-0 transition group-hover:translate-x-0 group-hover:opacity-100 group-focus-visible:translate-x-0 group-focus-visible:opacity-100"
                    >
                      →
                    </span>
                  </h3>
                  <p className="mt-2 max-w-[46ch] text-md text-text">{description}</p>
                </div>
                <span aria-hidden="true" className="block h-44 overflow-hidden px-6 sm:px-7">
                  <span className="block h-full translate-y-2 rounded-t-card border border-b-0 bg-raised text-sm shadow-float transition-transform group-hover:translate-y-0">
                    <ServicePiece id={id} />
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
