-- A TLS proxy asks by name alone whether a certificate is wanted (server/features/senders/domains/tracking-host.ts).
create index sending_domains_domain on sending_domains (domain);
