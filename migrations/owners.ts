/**
 * Whose table it is: the feature (a folder of server/features, or `platform`) that alone writes it. Reading is free.
 * `npm run check` compares every write of the server, the scripts and the triggers with this list (scripts/checks/table-writes.ts).
 */
export const OWNERS: Record<string, string[]> = {
  platform: ['schema_migrations', 'settings', 'throttles', 'audit_log'],
  accounts: ['workspaces', 'users', 'sessions', 'user_tokens', 'identities'],
  templates: ['templates', 'template_versions', 'saved_blocks', 'brands'],
  images: ['images', 'workspace_images'],
  contacts: [
    'lists',
    'contacts',
    'list_members',
    'suppressions',
    'retained_suppressions',
    'erased_addresses',
    'left_lists',
    'imports',
    'import_errors',
    'import_files',
    'contact_origins',
    'contact_edits',
    'contact_events',
    'contact_jobs',
    'contact_job_slices',
    'tags',
    'contact_tags',
    'tag_clicks',
    'tag_click_cursors',
    'segments',
    'contact_fields',
    'confirmations',
    'forms',
    'contact_merges',
    'preference_changes',
  ],
  senders: [
    'senders',
    'from_addresses',
    'sending_domains',
    'dkim_keys',
    'link_hosts',
    'dmarc_reports',
    'dmarc_rows',
    'loopback_checks',
    'receiver_pauses',
    'receiver_paces',
    'receiver_domains',
  ],
  bounces: ['bounce_sources', 'bounce_events'],
  gmail: ['gmail_accounts', 'gmail_clients'],
  campaigns: [
    'campaigns',
    'campaign_lists',
    'campaign_segments',
    'campaign_excluded_lists',
    'campaign_senders',
    'campaign_attachments',
    'campaign_links',
    'campaign_counts',
    'messages',
    'claims',
    'sender_usage',
    'sender_shares',
    'gmail_messages',
    'told_origins',
    'campaign_shares',
  ],
  journeys: ['journeys', 'journey_steps', 'journey_people'],
  tracking: [
    'events',
    'event_changes',
    'message_changes',
    'message_rollups',
    'message_links',
    'event_counts',
    'campaign_totals',
  ],
  collector: ['crawl_jobs', 'crawl_pages', 'crawl_results'],
  whatsapp: [
    'whatsapp_numbers',
    'whatsapp_templates',
    'whatsapp_consents',
    'whatsapp_webhook_events',
    'whatsapp_conversations',
    'whatsapp_messages',
    'whatsapp_automations',
    'whatsapp_saved_replies',
  ],
  billing: [
    'subscriptions',
    'plan_grants',
    'coupons',
    'checkouts',
    'coupon_uses',
    'billing_events',
    'invoices',
    'payment_reversals',
    'usage_months',
  ],
  blog: ['posts', 'post_slugs'],
  site: ['contact_messages'],
}

/** The owners of schemas of libraries: whose tables have no entry of their own, and are named with their schema. */
export const SCHEMAS: Record<string, string> = { pgboss: 'platform' }

/** The writes by others that stay, each with its reason. `*`: a table a variable names. */
export const ALLOWED: Record<string, { tables: string[]; reason: string }> = {
  'server/features/accounts/removal/removal-store.ts': {
    tables: ['*'],
    reason: 'A deleted account empties every table with a workspace_id, so that none can be forgotten.',
  },
  'server/features/contacts/imports/import-consents.ts': {
    tables: ['whatsapp_consents'],
    reason:
      'The consent of a file is recorded with its rows, in the transaction and the thread that import them; that thread loads contacts alone.',
  },
  'server/platform/backup/restore.ts': {
    tables: ['*'],
    reason: 'A restore fills every table of an empty database before any feature works on it.',
  },
  'scripts/carry-over.ts': {
    tables: ['*', 'campaigns', 'event_changes', 'list_members', 'message_changes', 'messages'],
    reason: 'It copies every table of a stopped installation, and fills columns that the preview did not have.',
  },
}

/** The triggers that write tables of another feature than the one whose table they are on, each with its reason. */
export const TRIGGERS: Record<string, { tables: string[]; reason: string }> = {
  campaigns_settled: {
    tables: ['usage_months'],
    reason:
      'What a campaign reserved is given back by whatever statement ends it, also one that ends many campaigns or runs in the sending thread: no end can forget it.',
  },
  ...Object.fromEntries(
    ['messages_came_out', 'messages_changed_outcome', 'messages_left'].map((name) => [
      name,
      {
        tables: ['message_changes'],
        reason: 'Whatever statement changes messages, the figures of reports follow, in its transaction.',
      },
    ]),
  ),
}
