/** What a campaign has in the fields that only those over another channel use. */
export const noFields = {
  senderIds: [],
  window: null,
  spread: false as const,
  attachments: [],
  merge: null,
  reads: null,
  replied: null,
  forecast: null,
  whatsapp: null,
  whatsappTemplate: null,
  delivery: null,
}
