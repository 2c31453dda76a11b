import { useEffect, useState } from 'react'
import { Toaster } from '#web/ui/overlay/toaster.tsx'
import { Mark, Wordmark } from '#web/ui/theme/brand.tsx'
import { ThemeSwitch } from '#web/ui/theme/theme-switch.tsx'
import { Basics } from './basics.tsx'
import { Controls } from './controls.tsx'
import { States } from './states.tsx'

export const meta = () => [{ title: 'Design system · Postlark' }, { name: 'robots', content: 'noindex' }]

/** web/ui as it looks, for those who build with it; the address exists in development only (web/routes.ts). */
export default function DesignPage() {
  // Some parts know only a browser.
  const [here, setHere] = useState(false)
  useEffect(() => setHere(true), [])
  return (
    <div className="mx-auto max-w-300 px-5 py-10 sm:px-8">
      <header className="flex flex-wrap items-center justify-between gap-4 border-b pb-8">
        <div>
          <h1 className="text-2xl font-semibold tracking-tight">Design system</h1>
          <p className="mt-1 text-md text-muted">The components of web/ui. Its README explains when to use each.</p>
        </div>
        <ThemeSwitch />
      </header>
      {here && (
        <main>
          <section className="flex items-center gap-10 border-b py-10">
            <Wordmark className="scale-150 origin-left" />
            <Mark className="ml-12 h-12 text-accent-text" />
            <Mark className="h-4 text-ink" />
          </section>
          <Basics />
          <Controls />
          <States />
        </main>
      )}
      <Toaster />
    </div>
  )
}
