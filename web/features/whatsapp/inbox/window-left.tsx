import { useEffect, useState } from 'react'
import { Badge } from '#web/ui/feedback/badge.tsx'

/** The time now, looked at every so many milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}

/** Milliseconds in words a person counts down with: "23 h 14 min", "9 min", "42 s". */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${seconds} s`
}

const NEAR_MS = 2 * 3_600_000

/** Whether the 24 hours after the person's last message still run, by the clock of this page. */
export const isOpen = (windowEndsAt: string | null, now: number): boolean =>
  windowEndsAt !== null && Date.parse(windowEndsAt) > now

/** How long anything may be written; after that only a template. */
export function WindowLeft({ windowEndsAt }: { windowEndsAt: string | null }) {
  const left = windowEndsAt === null ? 0 : Date.parse(windowEndsAt) - Date.now()
  useNow(left > 0 && left < 120_000 ? 1_000 : 15_000)
  if (left <= 0)
    return (
      <Badge shape="minus">
        <span title="This person’s last message is more than 24 hours old. Only a template can be sent.">
          template only
        </span>
      </Badge>
    )
  return (
    <Badge tone={left < NEAR_MS ? 'attention' : 'good'} shape="clock">
      <span className="tabular-nums" title="Time left to reply freely">
        {timeLeft(left)} left
      </span>
    </Badge>
  )
}
