import type { Services } from '#server/services.ts'

/** Listens for bounces where the operator wants it (BOUNCE_SMTP_PORT); the SMTP server is loaded only then. Throws ConfigError. */
export async function listenForBounces(services: Pick<Services, 'db' | 'config' | 'log' | 'nameServers'>) {
  const { bounceSmtp } = services.config
  return bounceSmtp && (await import('./listener/listener.ts')).startListener(services, bounceSmtp)
}
