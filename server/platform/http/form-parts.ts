import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

/** Makes `request.parts()` refuse a part without a name (Refusal 400), which the parser hands over as `undefined`. */
export function refuseNamelessParts(request: FastifyRequest): void {
  const parts = request.parts.bind(request)
  request.parts = async function* (options) {
    for await (const part of parts(options)) {
      if (typeof part.fieldname !== 'string')
        throw new Refusal(400, 'invalid', 'A part of the form has no name. Nothing was changed.')
      yield part
    }
  }
}
