/** Small images for empty states, 160 by 104, drawn with the tokens so that they fit light and dark. */
function Sheet({ children }: { children: React.ReactNode }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 160 104" width="160" height="104" fill="none" className="max-w-full">
      {children}
    </svg>
  )
}

const paper = { fill: 'var(--color-raised)', stroke: 'var(--color-line)', strokeWidth: 1.5 }
const soft = { fill: 'var(--color-line)' }
const tint = { fill: 'var(--color-accent-soft)', stroke: 'var(--color-accent-line)', strokeWidth: 1.5 }

/** People in rows. */
export function PeopleDrawing() {
  return (
    <Sheet>
      {[0, 1, 2].map((row) => (
        <g key={row} transform={`translate(${18 + row * 6} ${6 + row * 32})`} opacity={1 - row * 0.22}>
          <rect width="112" height="26" rx="6" {...paper} />
          <circle cx="15" cy="13" r="6.5" {...tint} />
          <rect x="30" y="7" width={42 - row * 6} height="4.5" rx="2.25" {...soft} />
          <rect x="30" y="15" width={62 - row * 8} height="4" rx="2" {...soft} opacity="0.6" />
        </g>
      ))}
    </Sheet>
  )
}

/** An email with a headline, an image and a button. */
export function EmailDrawing() {
  return (
    <Sheet>
      <rect x="46" y="4" width="76" height="96" rx="7" {...paper} transform="rotate(4 84 52)" opacity="0.6" />
      <rect x="40" y="4" width="76" height="96" rx="7" {...paper} />
      <rect x="50" y="14" width="36" height="5" rx="2.5" {...soft} />
      <rect x="50" y="25" width="56" height="26" rx="4" {...tint} />
      <rect x="50" y="59" width="56" height="4" rx="2" {...soft} />
      <rect x="50" y="67" width="44" height="4" rx="2" {...soft} />
      <rect x="50" y="80" width="26" height="10" rx="5" fill="var(--color-accent)" />
    </Sheet>
  )
}

/** An envelope on its way. */
export function FlightDrawing() {
  return (
    <Sheet>
      <path d="M8 78h34M2 62h30M14 46h22" stroke="var(--color-line)" strokeWidth="2.5" strokeLinecap="round" />
      <g transform="rotate(-9 98 52)">
        <rect x="54" y="24" width="88" height="60" rx="8" {...paper} />
        <path d="M55 30l43 32 43-32" stroke="var(--color-accent)" strokeWidth="2" strokeLinejoin="round" />
        <circle cx="138" cy="26" r="9" {...tint} />
      </g>
    </Sheet>
  )
}

/** A way that parts in two. */
export function JourneyDrawing() {
  return (
    <Sheet>
      <path d="M80 30v14M44 62v-8a8 8 0 0 1 8-8h56a8 8 0 0 1 8 8v8" stroke="var(--color-line)" strokeWidth="2" />
      <rect x="50" y="6" width="60" height="24" rx="6" {...tint} />
      <rect x="60" y="16" width="40" height="4.5" rx="2.25" {...soft} />
      {[14, 86].map((x, side) => (
        <g key={x}>
          <rect x={x} y="62" width="60" height="36" rx="6" {...paper} />
          <circle cx={x + 13} cy="75" r="5" fill={side ? 'var(--color-line)' : 'var(--color-good)'} />
          <rect x={x + 24} y="72.5" width="26" height="5" rx="2.5" {...soft} />
          <rect x={x + 9} y="86" width={side ? 30 : 40} height="4" rx="2" {...soft} opacity="0.6" />
        </g>
      ))}
    </Sheet>
  )
}

/** A server rack with a light. */
export function ServerDrawing() {
  return (
    <Sheet>
      {[10, 42].map((y, row) => (
        <g key={y}>
          <rect x="34" y={y} width="92" height="26" rx="6" {...paper} />
          <circle cx="48" cy={y + 13} r="4" fill={row ? 'var(--color-line)' : 'var(--color-good)'} />
          <rect x="60" y={y + 11} width={row ? 30 : 44} height="4" rx="2" {...soft} />
        </g>
      ))}
      <path d="M80 68v14M58 90h44" stroke="var(--color-line)" strokeWidth="2" strokeLinecap="round" />
      <circle cx="80" cy="90" r="6" {...tint} />
    </Sheet>
  )
}

/** A curve that rises. */
export function ChartDrawing() {
  return (
    <Sheet>
      <rect x="20" y="6" width="120" height="92" rx="8" {...paper} />
      <path d="M32 80h96M32 60h96M32 40h96" stroke="var(--color-line)" strokeWidth="1" />
      <path
        d="M32 78c14-2 18-34 32-36s16 18 28 14 20-28 36-30"
        stroke="var(--color-accent)"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <path
        d="M32 80c18 0 24-14 40-16s32 4 56-12"
        stroke="var(--color-chart-clicks)"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </Sheet>
  )
}

/** A page under a magnifier. */
export function SearchDrawing() {
  return (
    <Sheet>
      <rect x="30" y="8" width="78" height="88" rx="7" {...paper} />
      {[22, 34, 46, 58, 70].map((y, row) => (
        <rect key={y} x="42" y={y} width={54 - (row % 3) * 12} height="4" rx="2" {...soft} />
      ))}
      <circle cx="104" cy="58" r="19" {...tint} />
      <path d="M118 72l14 14" stroke="var(--color-accent)" strokeWidth="4" strokeLinecap="round" />
    </Sheet>
  )
}
