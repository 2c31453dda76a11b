import { ButtonLink } from '#web/ui/form/button.tsx'

/** The 404 page's content: a returned envelope. */
export function NotFound() {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center px-6 py-24 text-center">
      <svg aria-hidden="true" viewBox="0 0 200 120" width="200" height="120" fill="none">
        <rect
          x="30"
          y="16"
          width="140"
          height="92"
          rx="10"
          fill="var(--color-raised)"
          stroke="var(--color-line)"
          strokeWidth="2"
        />
        <path d="M32 24l68 48 68-48" stroke="var(--color-line)" strokeWidth="2" strokeLinejoin="round" />
        <g transform="rotate(-9 128 82)">
          <rect x="88" y="68" width="84" height="28" rx="4" stroke="var(--color-accent-text)" strokeWidth="2" />
          <text
            x="130"
            y="86"
            textAnchor="middle"
            fontSize="12"
            fontWeight="700"
            letterSpacing="0.5"
            fill="var(--color-accent-text)"
          >
            UNKNOWN
          </text>
        </g>
      </svg>
      <h1 className="mt-8 text-2xl font-semibold tracking-tight">Page Not Found</h1>
      <p className="mt-2 text-md text-muted">This page does not exist. It may have moved, or the link may be broken.</p>
      <ButtonLink kind="primary" to="/" className="mt-7">
        Go to the home page
      </ButtonLink>
    </div>
  )
}
