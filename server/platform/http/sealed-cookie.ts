import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { decrypt, encrypt } from '../crypto.ts'

type Settings = Pick<Config, 'secretKey' | 'publicUrl'>

const Sealed = z.object({ content: z.unknown(), until: z.number() })

/** Something a browser has to bring back once, such as what began a sign-in at another site. */
export interface SealedCookie<T> {
  /** Gives it to the browser, encrypted with SECRET_KEY. */
  give(reply: FastifyReply, settings: Settings, content: T): void
  /** Takes it back, and away from the browser. undefined: none, too late, or not ours. */
  take(request: FastifyRequest, reply: FastifyReply, settings: Settings): T | undefined
}

/** The value of a cookie in a Cookie header (RFC 6265); undefined when it has none of the name. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
  return found?.slice(name.length + 1)
}

/**
 * A cookie out of reach of scripts, for some minutes, whose content nobody can read or make. `purpose` keeps one kind from being
 * taken for another. Over TLS its name has the prefix __Host-: no other host of the domain, and no page without TLS, can plant one.
 */
export function sealedCookie<S extends z.ZodType>(
  name: string,
  purpose: string,
  minutes: number,
  content: S,
): SealedCookie<z.output<S>> {
  const isSecure = ({ publicUrl }: Settings) => publicUrl.startsWith('https:')
  const toName = (settings: Settings) => `${isSecure(settings) ? '__Host-' : ''}${name}`
  const setCookie = (reply: FastifyReply, settings: Settings, value: string, seconds: number) => {
    const secure = isSecure(settings) ? '; Secure' : ''
    const attributes = `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
    reply.header('set-cookie', `${toName(settings)}=${value}; ${attributes}`)
  }
  return {
    give(reply, settings, value) {
      const text = JSON.stringify({ content: value, until: Date.now() + minutes * 60_000 })
      setCookie(reply, settings, encrypt(settings.secretKey, text, purpose), minutes * 60)
    },
    take(request, reply, settings) {
      setCookie(reply, settings, '', 0)
      const value = readCookie(request.headers.cookie, toName(settings))
      if (value === undefined) return undefined
      try {
        const sealed = Sealed.parse(JSON.parse(decrypt(settings.secretKey, value, purpose)))
        return sealed.until > Date.now() ? content.parse(sealed.content) : undefined
      } catch {
        return undefined
      }
    },
  }
}
