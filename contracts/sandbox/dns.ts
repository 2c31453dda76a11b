import { endpoint } from '#contracts/endpoint.ts'
import { SendingDomain } from '#contracts/senders/domains.ts'
import { IdParams } from '#contracts/values.ts'

export const sandboxDns = {
  publish: endpoint('POST /api/sandbox/dns/:id', 'user', {
    refusals: [429],
    summary: 'Publish the records of a sending domain in the DNS of the sandbox, and look them up',
    params: IdParams,
    response: SendingDomain,
  }),
  withdraw: endpoint('DELETE /api/sandbox/dns/:id', 'user', {
    refusals: [429],
    summary: 'Remove the records of a sending domain from the DNS of the sandbox, and look again',
    params: IdParams,
    response: SendingDomain,
  }),
}
