import type { HealthLine, HealthState } from '#contracts/admin/admin.ts'
import type { Services } from '#server/services.ts'
import { channelLines } from './health-channels.ts'
import { databaseLines } from './health-database.ts'
import { machineLines, versionLines } from './health-machine.ts'
import { mailProbe } from './health-mail.ts'
import { queueHealth } from './health-queue.ts'
import { sendingProbe } from './health-sending.ts'

const PROBE_MS = 8_000
const WORST: HealthState[] = ['bad', 'warning', 'unknown', 'ok']

/** A probe that fails or hangs says so on its own line; the others still answer. */
export async function probed(
  area: HealthLine['area'],
  name: string,
  work: () => Promise<HealthLine[]> | HealthLine[],
): Promise<HealthLine[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No response within 8 seconds.')), PROBE_MS)
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    const text = `It could not be read: ${(error as Error).message}`
    return [{ area, name, state: 'unknown', text, advice: 'Check the server log.' }]
  } finally {
    clearTimeout(timer)
  }
}

/** How the installation is, as a function that looks anew at each call. What changes with time (rates) needs two looks. */
export function createHealthCheck(services: Services) {
  const mail = mailProbe(services)
  const sending = sendingProbe(services)
  return async () => {
    let jobs: Awaited<ReturnType<typeof queueHealth>>['jobs'] = []
    const parts = await Promise.all([
      probed('database', 'Database', () => databaseLines(services)),
      probed('queue', 'Background work', async () => {
        const queue = await queueHealth(services)
        jobs = queue.jobs
        return queue.lines
      }),
      probed('mail', 'Mail', mail),
      probed('sending', 'Sending', sending),
      probed('machine', 'Machine', () => machineLines(services)),
      probed('machine', 'Versions', () => versionLines(services)),
      probed('channels', 'Channels', () => channelLines(services)),
    ])
    const lines = parts.flat()
    // What cannot be known is no trouble by itself.
    const state = WORST.find((word) => word !== 'unknown' && lines.some((line) => line.state === word)) ?? 'ok'
    return { at: new Date().toISOString(), state, lines, jobs }
  }
}
