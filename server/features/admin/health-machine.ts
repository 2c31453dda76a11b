import { statfs } from 'node:fs/promises'
import { freemem, release, type } from 'node:os'
import type { HealthLine, HealthState } from '#contracts/admin/admin.ts'
import { memoryLimit } from '#server/platform/threads/machine.ts'
import type { Services } from '#server/services.ts'
import { VERSION } from '#server/version.ts'
import { spell, spellBytes } from './health-labels.ts'

/** The state of what is left of something: below either bound it is short. */
function leftover(
  free: number,
  total: number,
  bounds: { warning: [bytes: number, share: number]; bad: [bytes: number, share: number] },
): HealthState {
  const below = ([bytes, share]: [number, number]) => free < bytes || free < total * share
  return below(bounds.bad) ? 'bad' : below(bounds.warning) ? 'warning' : 'ok'
}

/** How much is left on the disk of a folder that exists. */
export async function diskLine(dataDir: string): Promise<HealthLine> {
  const { bavail, blocks, bsize } = await statfs(dataDir)
  const [free, total] = [bavail * bsize, blocks * bsize]
  const state = leftover(free, total, { warning: [1e9, 0.1], bad: [200e6, 0.02] })
  return {
    area: 'machine',
    name: 'Disk',
    state,
    text: `${spellBytes(free)} of ${spellBytes(total)} free on the disk of ${dataDir}.`,
    advice:
      state === 'ok'
        ? ''
        : 'Free some space or use a larger disk. A full disk stops imports, journals and the embedded database.',
  }
}

/** Memory as the process may use it. */
function memory(): HealthLine {
  const total = memoryLimit()
  const free = Math.min(process.availableMemory?.() ?? freemem(), total)
  const state = leftover(free, total, { warning: [200e6, 0.08], bad: [60e6, 0.02] })
  return {
    area: 'machine',
    name: 'Memory',
    state,
    text: `This process uses ${spellBytes(process.memoryUsage.rss())}; ${spellBytes(free)} of ${spellBytes(total)} available.`,
    advice:
      state === 'ok' ? '' : 'Give the machine more memory, or move the database or the workers to another machine.',
  }
}

/** What the machine has left. */
export async function machineLines({ config }: Services): Promise<HealthLine[]> {
  return [await diskLine(config.dataDir), memory()]
}

/** What runs here, since when, in which role. */
export function versionLines({ config }: Services): HealthLine[] {
  const line = { area: 'machine' as const, state: 'ok' as const, advice: '' }
  return [
    { ...line, name: 'Postlark', text: `${VERSION}, role ${config.role}, up for ${spell(process.uptime())}.` },
    { ...line, name: 'Node', text: `${process.version} on ${type()} ${release()}, ${process.arch}.` },
  ]
}
