import type { Deed } from '#contracts/sandbox/whatsapp.ts'
import type { Business, Chat, ChatMedia, ChatMessage, GraphNumber, GraphState } from './state.ts'
import { buildMetadata, isScoped, statusChange, toIdentity, type WebhookChange, type Webhooks } from './webhooks.ts'

interface PersonPlace {
  state: GraphState
  webhooks: Webhooks
  business: Business
  number: GraphNumber
  chat: Chat
  /** SHA-256 of a stored file, base64. */
  fileDigest: (id: string | null) => string
}

/** What the person at the other end does: writes, taps, reads, stops. Drives the webhook as Meta would. Returns false where there is nothing to tap. */
export function act(place: PersonPlace, given: Deed, storeImage: () => string): boolean {
  const { chat, state } = place
  switch (given.act) {
    case 'text':
      if (given.name) chat.name = given.name
      say(place, { type: 'text', text: { body: given.text } }, given.text)
      return true
    case 'image':
      sendFile(place, { kind: 'image', id: storeImage(), link: null, name: '' }, 'image/png', given.caption)
      return true
    case 'button':
      return tap(place, given.messageId, given.index)
    case 'read':
      for (const message of chat.messages) {
        if (message.from !== 'business' || message.status === 'read' || message.status === 'failed') continue
        message.status = 'read'
        place.webhooks.send(place.business, statusChange(place.number, chat.person, message, 'read'))
      }
      return true
    case 'fate':
      chat.fate = { when: given.when, code: given.code, left: given.times }
      state.save()
      return true
    default:
      prefer(place, given.act === 'stop_promotions')
      return true
  }
}

/** Sends a file the emulator stores, as the person would from their phone. */
export function sendFile(place: PersonPlace, media: ChatMedia, mimeType: string, caption: string): void {
  const { kind, id, name } = media
  const words = kind === 'audio' || caption === '' ? {} : { caption }
  const part = {
    id,
    mime_type: mimeType,
    sha256: place.fileDigest(id),
    ...words,
    ...(kind === 'document' && { filename: name }),
  }
  say(place, { type: kind, [kind]: part }, kind === 'audio' ? '' : caption, media)
}

function say(place: PersonPlace, message: Record<string, unknown>, text: string, media: ChatMedia | null = null): void {
  const { state, webhooks, business, number, chat } = place
  const id = state.wamid(number.digits)
  const at = Date.now()
  chat.lastInAt = at
  const kind = String(message.type)
  const kept: ChatMessage = {
    id,
    from: 'person',
    kind,
    text,
    header: '',
    footer: '',
    buttons: [],
    media,
    status: 'sent',
    at,
  }
  state.put(chat, kept)
  const value = {
    ...buildMetadata(number),
    contacts: [{ profile: { name: chat.name }, ...toIdentity(chat.person) }],
    messages: [
      {
        ...(isScoped(chat.person) ? { from_user_id: chat.person } : { from: chat.person }),
        id,
        timestamp: String(Math.floor(at / 1_000)),
        ...message,
      },
    ],
  }
  webhooks.send(business, { field: 'messages', value })
}

function tap(place: PersonPlace, messageId: string, index: number): boolean {
  const message = place.chat.messages.find(({ id }) => id === messageId)
  const button = message?.buttons[index]
  if (!message || !button?.reply) return false
  const context = { from: place.number.digits, id: message.id }
  if (message.kind === 'template')
    say(place, { type: 'button', context, button: { payload: button.payload, text: button.text } }, button.text)
  else {
    const type = message.isList ? 'list_reply' : 'button_reply'
    const interactive = { type, [type]: { id: button.payload, title: button.text } }
    say(place, { type: 'interactive', context, interactive }, button.text)
  }
  return true
}

function prefer({ webhooks, business, number, chat, state }: PersonPlace, stop: boolean): void {
  chat.stopped = stop
  state.save()
  const change: WebhookChange = {
    field: 'user_preferences',
    value: {
      ...buildMetadata(number),
      contacts: [{ profile: { name: chat.name }, ...toIdentity(chat.person) }],
      user_preferences: [
        {
          ...toIdentity(chat.person),
          detail: stop ? 'User requested to stop marketing messages' : 'User requested to resume marketing messages',
          category: 'marketing_messages',
          value: stop ? 'stop' : 'resume',
          timestamp: Math.floor(Date.now() / 1_000),
        },
      ],
    },
  }
  webhooks.send(business, change)
}
