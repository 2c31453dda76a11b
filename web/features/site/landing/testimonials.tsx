import { memo, useEffect, useRef, useState } from 'react'
import { IconButton } from '#web/ui/form/button.tsx'
import { Glyph } from '#web/ui/theme/glyph.tsx'
import { testimonials, testimonialsAreSamples } from '../layout/site-content.ts'
import type { Motion } from './carousel-motion.ts'
import './testimonials.css'

/** Starts the carousel when it comes near, once; it runs by itself unless less motion was asked for. */
function useCarousel(running: boolean) {
  const element = useRef<HTMLDivElement>(null)
  const motion = useRef<Motion>(null)
  const wanted = useRef(running)
  wanted.current = running

  useEffect(() => {
    const target = element.current
    if (!target) return
    let left = false
    const sight = new IntersectionObserver(
      async ([entry]) => {
        if (!entry?.isIntersecting) return
        sight.disconnect()
        const { startCarousel } = await import('./carousel-motion.ts')
        if (!left) motion.current = startCarousel(target, wanted.current)
      },
      { rootMargin: '600px' },
    )
    sight.observe(target)
    return () => {
      left = true
      sight.disconnect()
      motion.current?.stop()
      motion.current = null
    }
  }, [])
  useEffect(() => {
    motion.current?.setRunning(running)
  }, [running])
  return { element, motion }
}

/** Five voices in a row that turns by itself, with a way back, a way on and a way to hold it. */
export function Testimonials() {
  const [running, setRunning] = useState(true)
  const { element, motion } = useCarousel(running)
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) setRunning(false)
  }, [])

  function turn(direction: -1 | 1) {
    if (motion.current) return direction === 1 ? motion.current.next() : motion.current.previous()
    element.current?.scrollBy({ left: direction * element.current.clientWidth, behavior: 'smooth' })
  }

  return (
    <section aria-roledescription="carousel" aria-labelledby="voices" className="testimonials border-b bg-surface">
      <div className="mx-auto max-w-300 px-5 py-24 sm:px-8 wide:py-32">
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
          <div>
            <h2 id="voices" className="text-2xl font-semibold tracking-tight sm:text-3xl">
              What people say
            </h2>
            {testimonialsAreSamples && (
              <p className="mt-2 text-base text-muted">
                Sample testimonials. The operator of this site can replace them.
              </p>
            )}
          </div>
          <div className="flex gap-2">
            <IconButton
              kind="secondary"
              size="lg"
              label={running ? 'Pause testimonials' : 'Play testimonials'}
              onClick={() => setRunning(!running)}
            >
              <Glyph path={running ? 'M7 4v12M13 4v12' : 'M6 4l10 6-10 6z'} />
            </IconButton>
            <IconButton kind="secondary" size="lg" label="Previous testimonial" onClick={() => turn(-1)}>
              <Glyph path="M12 4l-6 6 6 6" />
            </IconButton>
            <IconButton kind="secondary" size="lg" label="Next testimonial" onClick={() => turn(1)}>
              <Glyph path="M8 4l6 6-6 6" />
            </IconButton>
          </div>
        </div>
        <div
          ref={element}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: without the script it is scrolled, also by keyboard
          tabIndex={0}
          role="group"
          aria-label="Testimonials"
          className="swiper mt-10 rounded-card"
          onKeyDown={(event) => {
            if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
            event.preventDefault()
            turn(event.key === 'ArrowRight' ? 1 : -1)
          }}
        >
          <Slides />
        </div>
      </div>
    </section>
  )
}

/** Written once: from then on the carousel moves these elements about by itself. */
const Slides = memo(() => (
  <ul className="swiper-wrapper">
    {testimonials.map((one) => (
      <li key={one.id} className="swiper-slide">
        <figure className="flex h-full flex-col rounded-dialog border bg-page p-6 sm:p-7">
          <p className="flex text-attention" role="img" aria-label={`Rated ${one.rating} of 5`}>
            {Array.from({ length: one.rating }, (_, star) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: stars are all alike
              <svg key={star} aria-hidden="true" viewBox="0 0 20 20" className="size-5" fill="currentColor">
                <path d="M10 2l2.4 5.2 5.6.7-4.2 3.9 1.1 5.600L10 14.600l-4.9 2.8 1.1-5.600L2 7.900l5.6-.7z" />
              </svg>
            ))}
          </p>
          <blockquote className="mt-4 flex-1 text-read text-ink">{one.text}</blockquote>
          <figcaption className="mt-6 flex items-center gap-3">
            <span
              aria-hidden="true"
              className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-text"
            >
              {one.avatar}
            </span>
            <span className="min-w-0">
              <span className="block text-base font-semibold text-ink">{one.name}</span>
              <span className="block text-sm text-muted">
                {one.role}, {one.company}
              </span>
            </span>
          </figcaption>
        </figure>
      </li>
    ))}
  </ul>
))
