const LOOK_INTERVAL_MS = 5

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000

/** The processor time of this thread that `run` takes, in ms: what other programs do meanwhile does not count. */
export async function processorTime(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await run()
  return milliseconds(process.threadCpuUsage(before))
}

/**
 * Watches this thread's event loop. Returns a function that ends it and returns the most processor time, in ms, that
 * passed without a turn of the loop: how long everybody else had to wait, however busy the machine is.
 */
export function watchEventLoop(): () => number {
  let last = process.threadCpuUsage()
  let longest = 0
  const look = () => {
    longest = Math.max(longest, milliseconds(process.threadCpuUsage(last)))
    last = process.threadCpuUsage()
  }
  const timer = setInterval(look, LOOK_INTERVAL_MS)
  return () => {
    clearInterval(timer)
    look()
    return longest
  }
}
