/** The thread that takes reports apart: what strangers send may be made to take long. */
// Not through the engine's index: it also loads what compiles templates, which takes long and is not needed here.
import { readReport } from '#server/engine/bounces/bounce.ts'
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'

serveTasks((raw: Uint8Array) => readReport(raw))
