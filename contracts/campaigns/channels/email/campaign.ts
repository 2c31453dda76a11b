import { Forecast, NotGmail, SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'

/** The fields of an email campaign beside those that every campaign has. */
export const OfEmail = {
  ...NotGmail,
  /** When it may send. */
  window: SendingWindow.nullable(),
  /** While it sends, of one campaign: when it goes on, where a limit of a day or sending hours decide. */
  forecast: Forecast.nullable(),
}
