import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'

/** Peak resident memory of a process in MiB (Linux). */
export function peakMemory(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(line ?? 0) / 1024)
}

/** Has the peak memory of a process counted from now on (Linux), without what its start took. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The fast mail sink in its own process. */
export async function startSink(): Promise<{
  port: number
  url: string
  count(): Promise<number>
  /** When it took the first message since its reset, in milliseconds of the clock. */
  firstAt(): Promise<number>
  reset(): void
  stop(): void
}> {
  const child: ChildProcess = fork(new URL('./sink.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const ask = async () => {
    child.send('count')
    return (await once(child, 'message'))[0] as { messages: number; firstAt: number }
  }
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    count: async () => (await ask()).messages,
    firstAt: async () => (await ask()).firstAt,
    reset: () => void child.send('reset'),
    stop: () => child.disconnect(),
  }
}

/** One line of a table: what, how fast, and against the rival. */
export function report(name: string, value: string, ratio?: { of: number; bar: number }): void {
  const verdict = ratio
    ? `  ${ratio.of.toFixed(2)}x (bar ${ratio.bar}x: ${ratio.of >= ratio.bar ? 'reached' : 'missed'})`
    : ''
  console.log(`${name.padEnd(58)} ${value.padStart(22)}${verdict}`)
  // For bench/RESULTS.md.
  const notes = process.env.BENCH_NOTES
  if (notes) appendFileSync(notes, `${JSON.stringify({ name, value, ratio })}\n`)
}

const RUNS = 5

/** Milliseconds that something takes: the middle of five runs. */
export async function timeMiddle(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < RUNS; n++) {
    const started = performance.now()
    await run()
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0
}
