import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { callerFinder, mountAccounts, noteWrite } from '#server/features/accounts/index.ts'
import { mountAdmin } from '#server/features/admin/index.ts'
import { mountBilling } from '#server/features/billing/index.ts'
import { blogPages, mountBlog } from '#server/features/blog/index.ts'
import { mountBounces } from '#server/features/bounces/index.ts'
import { mountCampaigns } from '#server/features/campaigns/index.ts'
import { mountCollector } from '#server/features/collector/index.ts'
import { mountContacts } from '#server/features/contacts/index.ts'
import { mountDashboard } from '#server/features/dashboard/index.ts'
import { mountGmail } from '#server/features/gmail/index.ts'
import { mountImages } from '#server/features/images/index.ts'
import { mountJourneys } from '#server/features/journeys/index.ts'
import { mountSamples } from '#server/features/samples/index.ts'
import {
  type Mailbox,
  mountPhone,
  mountSandbox,
  mountSandboxDns,
  type ReplyMailboxes,
  type SandboxDns,
  type WhatsAppPhone,
} from '#server/features/sandbox/index.ts'
import { mountSearch } from '#server/features/search/index.ts'
import { mountSenders } from '#server/features/senders/index.ts'
import { mountSite } from '#server/features/site/index.ts'
import { mountSystem } from '#server/features/system/index.ts'
import { mountTemplates } from '#server/features/templates/index.ts'
import { mountTracking } from '#server/features/tracking/index.ts'
import { mountWhatsApp } from '#server/features/whatsapp/index.ts'
import { rememberVisitors } from '#server/platform/audit.ts'
import type { Config } from '#server/platform/config.ts'
import { refuseBrokenPath, refuseBrokenRequest } from '#server/platform/http/broken-requests.ts'
import { handleErrors } from '#server/platform/http/errors.ts'
import { mountHealth } from '#server/platform/http/health.ts'
import { limitSlowBodies } from '#server/platform/http/limits/slow-bodies.ts'
import { refuseOtherMethods } from '#server/platform/http/methods.ts'
import { mountMetrics } from '#server/platform/http/metrics.ts'
import { mountReference } from '#server/platform/http/openapi/reference.ts'
import { servePages } from '#server/platform/http/pages/pages.ts'
import { logRequests } from '#server/platform/http/request-log.ts'
import { secure } from '#server/platform/http/security.ts'
import { limitTrackingHosts } from '#server/platform/http/tracking-hosts.ts'
import { VERSION } from '#server/version.ts'
import type { Services } from './services.ts'

const BODY_LIMIT = 4 * 1024 * 1024
const UPLOAD_LIMIT = 2 * 1024 * 1024 * 1024

/** Fastify takes no number of hops: a client that reaches us past the proxies could name any address. HOST is for that. */
function buildTrustProxy({ trustProxy }: Config): string | boolean | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : (trustProxy ?? false)
}

function createServer({ config, log }: Services): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    // platform/http/request-log.ts writes one line a request, without secrets.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: buildTrustProxy(config),
    bodyLimit: BODY_LIMIT,
    // platform/http/limits/slow-bodies.ts has a limit that large uploads can keep.
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    forceCloseConnections: true,
    genReqId: () => randomUUID(),
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: refuseBrokenPath,
    // The schemas limit parameters, with refusals of ours; the request line has Node's limit of 16 KB.
    routerOptions: { maxParamLength: 16_384 },
    // JSON.parse with a __proto__ key is refused by Fastify itself.
    ajv: { customOptions: { coerceTypes: false } },
  }) as unknown as FastifyInstance
}

/** What the emulators show of themselves; nothing of those that do not run. */
export interface Emulators {
  mails?: Mailbox | undefined
  replyMailboxes?: ReplyMailboxes | undefined
  phone?: WhatsAppPhone | undefined
  dns?: SandboxDns | undefined
}

/** The whole HTTP side. `pages`: built files, watched sources (npm run dev), or none (a worker, API tests). */
export async function buildApp(
  services: Services,
  pages: 'built' | 'watch' | 'none',
  emulators: Emulators = {},
): Promise<FastifyInstance> {
  const app = createServer(services)
  handleErrors(app)
  logRequests(app)
  limitSlowBodies(app)
  rememberVisitors(app)
  app.decorateRequest('caller', undefined)
  app.decorate('findCaller', callerFinder(services.db, services.config))
  app.decorate('noteWrite', services.reads.hasReplica ? (id: string) => noteWrite(services.db, id) : undefined)
  await secure(app, services.config)
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
  await app.register(multipart, {
    limits: { fileSize: UPLOAD_LIMIT, files: 1, fields: 20, fieldSize: 256 * 1024, parts: 30 },
  })
  // The API takes JSON and forms: text is refused (415) instead of being taken for a body.
  app.removeContentTypeParser('text/plain')
  // Any route may be called with an empty body and a JSON content type.
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    void app.getDefaultJsonParser('error', 'error')(request, body as string, done)
  })
  mountHealth(app, services)
  mountMetrics(app, services)
  if (services.config.role !== 'worker') await mountFeatures(app, services, pages, emulators)
  return app
}

async function mountFeatures(
  app: FastifyInstance,
  services: Services,
  pages: 'built' | 'watch' | 'none',
  { mails, replyMailboxes, phone, dns }: Emulators,
): Promise<void> {
  limitTrackingHosts(app, services.config)
  const refuseOthers = refuseOtherMethods(app)
  mountSystem(app, services)
  mountAccounts(app, services)
  mountBilling(app, services)
  mountContacts(app, services)
  mountTemplates(app, services)
  mountSenders(app, services)
  const judged = mountTracking(app, services)
  mountCampaigns(app, services, judged)
  mountGmail(app, services, judged)
  mountJourneys(app, services)
  mountBounces(app, services)
  mountCollector(app, services)
  mountDashboard(app, services)
  mountSamples(app, services)
  mountSearch(app, services)
  mountImages(app, services)
  mountBlog(app, services)
  mountAdmin(app, services)
  mountSite(app, services)
  mountWhatsApp(app, services)
  if (mails) mountSandbox(app, mails, replyMailboxes)
  if (phone) mountPhone(app, phone)
  if (dns) mountSandboxDns(app, services, dns)
  mountReference(app, { url: services.config.publicUrl, version: VERSION })
  refuseOthers()
  await servePages(app, pages, services.config.publicUrl, blogPages(services.db))
}
