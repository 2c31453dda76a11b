import { z } from 'zod'
import { Email } from '#contracts/accounts/accounts.ts'
import type { Sender } from '#contracts/senders/senders.ts'
import { isOperator, operators } from './receivers/labels.ts'

/** The form's own fields: numbers are text while they are typed. */
export interface SenderFields {
  name: string
  host: string
  port: string
  secure: 'tls' | 'starttls' | 'none'
  user: string
  password: string
  fromName: string
  fromEmail: string
  connections: string
  perSecond: string
  perDay: string
  /** Of the large operators, in their order, then of domains. */
  receivers: { receiver: string; connections: string; perSecond: string; perHour: string }[]
}

const text = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value))

/** Receivers of a sender that can have limits, as the contract allows. */
export const MAX_RECEIVERS = 20
/** No limit for a receiver, as it is typed. */
export const noLimits = { connections: '', perSecond: '', perHour: '' }

const DOMAIN = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/i

const listDomains = (sender: Sender | null) =>
  (sender?.receiverLimits ?? []).map(({ receiver }) => receiver).filter((receiver) => !isOperator(receiver))

/** A sender as the form shows it; the password never comes back. */
export function toSenderFields(sender: Sender | null): SenderFields {
  return {
    name: sender?.name ?? '',
    host: sender?.host ?? '',
    port: text(sender?.port ?? 587),
    secure: sender?.secure ?? 'starttls',
    user: sender?.user ?? '',
    password: '',
    fromName: sender?.fromName ?? '',
    fromEmail: sender?.fromEmail ?? '',
    connections: text(sender?.limits.connections ?? 5),
    perSecond: text(sender?.limits.perSecond),
    perDay: text(sender?.limits.perDay),
    receivers: [...operators, ...listDomains(sender)].map((receiver) => {
      const limit = sender?.receiverLimits.find((one) => one.receiver === receiver)
      const { connections, perSecond, perHour } = limit ?? {}
      return { receiver, connections: text(connections), perSecond: text(perSecond), perHour: text(perHour) }
    }),
  }
}

/** A whole or broken number from `min` to `max`, typed; empty where that means none. */
const typedNumber = (min: number, max: number, empty: boolean) =>
  z.string().refine(
    (value) => {
      if (value.trim() === '') return empty
      const typed = Number(value)
      return typed >= min && typed <= max
    },
    { message: `must be a number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}` },
  )

/** The contract's rules for what is typed; the default sender has no server of its own to name. */
export function typedBy(isDefault: boolean) {
  const text = z.string()
  return z.object({
    name: text,
    host: isDefault ? text : text.trim().min(1, 'is required'),
    port: isDefault ? text : typedNumber(1, 65_535, false),
    secure: z.enum(['tls', 'starttls', 'none']),
    user: text,
    password: text,
    fromName: text,
    fromEmail: Email,
    connections: typedNumber(1, 50, false),
    perSecond: typedNumber(0.01, 1_000, true),
    perDay: typedNumber(1, 1_000_000, true),
    receivers: z
      .array(
        z.object({
          receiver: text.trim().toLowerCase(),
          connections: typedNumber(1, 50, true),
          perSecond: typedNumber(0.01, 1_000, true),
          perHour: typedNumber(1, 1_000_000, true),
        }),
      )
      .superRefine((rows, refine) => {
        for (const [index, row] of rows.entries()) {
          const refuse = (message: string) => refine.addIssue({ code: 'custom', path: [index, 'receiver'], message })
          if (!hasLimit(row) || isOperator(row.receiver)) continue
          if (!DOMAIN.test(row.receiver)) refuse('must have a dot, as in example.com')
          if (rows.findIndex(({ receiver }) => receiver === row.receiver) < index) refuse('is listed twice')
        }
      }),
  })
}

const number = (value: string) => (value.trim() === '' ? null : Number(value))

const hasLimit = ({ connections, perSecond, perHour }: Omit<SenderFields['receivers'][number], 'receiver'>) =>
  [connections, perSecond, perHour].some((value) => value.trim() !== '')

/** What everybody may change, the default sender included. An empty limit is none. */
export function commonBody(fields: SenderFields) {
  const receiverLimits = fields.receivers.filter(hasLimit).map(({ receiver, connections, perSecond, perHour }) => ({
    receiver,
    connections: number(connections),
    perSecond: number(perSecond),
    perHour: number(perHour),
  }))
  return {
    fromName: fields.fromName,
    fromEmail: fields.fromEmail,
    limits: {
      perSecond: number(fields.perSecond),
      perDay: number(fields.perDay),
      connections: number(fields.connections) ?? 1,
    },
    receiverLimits,
  }
}

/** The connection's part; an empty password leaves the stored one. */
export function serverBody(fields: SenderFields) {
  return {
    ...(fields.name && { name: fields.name }),
    host: fields.host,
    port: Number(fields.port),
    secure: fields.secure,
    user: fields.user,
    ...(fields.password && { password: fields.password }),
  }
}

/** The port each kind of security is usually spoken on. */
export const usualPort = { tls: '465', starttls: '587', none: '25' } as const
