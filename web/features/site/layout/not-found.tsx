import { ButtonLink } from '#web/ui/form/button.tsx'
import { PageMessage } from './page-message.tsx'

/** The 404 page's content: a returned envelope. */
export function NotFound() {
  return (
    <PageMessage
      drawing={
        <>
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
        </>
      }
      title="Page Not Found"
      text="This page does not exist. It may have moved, or the link may be broken."
    >
      <ButtonLink kind="primary" to="/">
        Go to the home page
      </ButtonLink>
    </PageMessage>
  )
}
