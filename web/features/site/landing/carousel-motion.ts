import Swiper from 'swiper'
import { Autoplay } from 'swiper/modules'
import { siteRules } from '#contracts/site/site.ts'

/** A carousel that moves. */
export interface Motion {
  previous(): void
  next(): void
  setRunning(running: boolean): void
  stop(): void
}

/**
 * Makes a list of slides turn (Swiper): looping, by itself every four seconds whatever somebody does with it, with the
 * slides and gaps of docs/specification.md, 9. `running` says whether it begins by itself. Loaded when the carousel comes near.
 */
export function startCarousel(element: HTMLElement, running: boolean): Motion {
  const { autoplay, steps } = siteRules.carousel
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const swiper = new Swiper(element, {
    modules: [Autoplay],
    loop: true,
    speed: calm ? 0 : 450,
    loopPreventsSliding: false,
    slidesPerView: steps[0].slides,
    spaceBetween: steps[0].gap,
    breakpoints: Object.fromEntries(
      Object.entries(steps).map(([width, step]) => [width, { slidesPerView: step.slides, spaceBetween: step.gap }]),
    ),
    autoplay: { delay: autoplay, disableOnInteraction: false },
  })
  if (!running) swiper.autoplay.stop()
  return {
    previous: () => swiper.slidePrev(),
    next: () => swiper.slideNext(),
    setRunning: (on) => void (on ? swiper.autoplay.start() : swiper.autoplay.stop()),
    stop: () => swiper.destroy(true, true),
  }
}
