/** What an export names of each table. No column that holds a credential is among them. */

export const CONTACT = [
  'id',
  'email',
  'phone',
  'bsuid',
  'name',
  'attributes',
  'source',
  'paused_until',
  'weekly_limit',
  'created_at',
  'updated_at',
]
export const CONTACT_EDIT = ['id', 'contact_id', 'fields', 'changes', 'edited_by', 'at']
export const CONTACT_EVENT = ['id', 'contact_id', 'name', 'properties', 'at', 'recorded_at', 'request_key']
export const PREFERENCE_CHANGE = ['id', 'contact_id', 'kind', 'detail', 'campaign_id', 'ip', 'user_agent', 'at']
export const LIST = ['id', 'name', 'optin', 'confirmation_template_id', 'description', 'is_public', 'created_at']
export const FORM = [
  ...[
    'id',
    'name',
    'slug',
    'heading',
    'description',
    'button',
    'fields',
    'list_ids',
    'tag_ids',
    'optin',
    'consent_wording',
  ],
  ...['wording_version', 'success_text', 'redirect_url', 'allowed_origins', 'views', 'submissions', 'confirmations'],
  ...['created_at', 'updated_at'],
]
export const CONFIRMATION = [
  ...[
    'id',
    'list_ids',
    'contact_id',
    'email',
    'fields',
    'source',
    'form_id',
    'wording',
    'wording_version',
    'requested_at',
  ],
  ...[
    'requested_ip',
    'requested_user_agent',
    'mails',
    'sent_at',
    'problem',
    'expires_at',
    'confirmed_at',
    'confirmed_ip',
  ],
  'confirmed_user_agent',
]
export const TEMPLATE = ['id', 'name', 'subject', 'html', 'mjml', 'text', 'version', 'created_at', 'updated_at']
export const TEMPLATE_VERSION = [
  'id',
  'template_id',
  'version',
  'label',
  'name',
  'subject',
  'html',
  'mjml',
  'text',
  'created_at',
]
export const IMAGE = ['id', 'url', 'width', 'height', 'name', 'alt', 'created_at']
export const BLOCK = ['id', 'name', 'mjml', 'created_at', 'updated_at']
export const BRAND = ['colors', 'text_font', 'heading_font', 'updated_at']
export const SENDER = [
  ...['id', 'kind', 'name', 'is_default', 'host', 'port', 'secure', 'username', 'from_name', 'from_email'],
  ...[
    'per_second',
    'per_day',
    'ramp_days',
    'ramp_from',
    'connections',
    'state',
    'state_text',
    'checked_at',
    'created_at',
  ],
]
export const DOMAIN = ['id', 'domain', 'state', 'findings', 'verified_at', 'checked_at', 'next_check_at', 'created_at']
export const LOOPBACK_CHECK = [
  ...['id', 'domain_id', 'sender_id', 'from_address', 'started_at', 'expires_at', 'sent_at', 'response', 'failure'],
  ...['arrived_at', 'result'],
]
export const DMARC_REPORT = ['id', 'domain_id', 'reporter', 'report_id', 'begins_at', 'ends_at', 'received_at']
export const DMARC_ROW = [
  ...[
    'id',
    'report_id',
    'source_ip',
    'header_from',
    'messages',
    'spf_aligned',
    'dkim_aligned',
    'disposition',
    'is_ours',
  ],
]
/** Without the keys that sign. */
export const BOUNCE_SOURCE = ['id', 'kind', 'name', 'settings', 'received_at', 'created_at']
/** Without the private keys. */
export const DKIM_KEY = [
  ...['id', 'domain_id', 'selector', 'rsa_public', 'ed25519_public', 'state', 'rsa_found', 'ed25519_found'],
  ...['retired_at', 'created_at'],
]
export const WHATSAPP_NUMBER = [
  ...['id', 'name', 'phone_number_id', 'business_account_id', 'display_phone', 'verified_name', 'quality', 'tier'],
  ...['daily_limit', 'per_second', 'state', 'state_text', 'checked_at', 'webhook_at', 'templates_at', 'created_at'],
]
export const WHATSAPP_TEMPLATE = [
  ...['id', 'business_account_id', 'meta_id', 'name', 'language', 'category', 'status', 'reason', 'parameter_format'],
  ...['quality', 'components', 'synced_at', 'created_at'],
]
export const CONSENT = [
  ...[
    'id',
    'contact_id',
    'phone',
    'bsuid',
    'how',
    'purpose',
    'covers',
    'wording',
    'evidence',
    'given_at',
    'recorded_by',
  ],
  'recorded_at',
]
export const CONVERSATION = [
  ...['id', 'account_id', 'contact_id', 'wa_id', 'bsuid', 'phone', 'profile_name', 'state', 'assigned_to', 'unread'],
  ...['last_in_at', 'last_at', 'held_until', 'flow', 'created_at'],
]
export const CHAT_MESSAGE = [
  ...['id', 'account_id', 'conversation_id', 'person', 'direction', 'kind', 'wamid', 'text', 'content', 'status'],
  ...['error_code', 'error_text', 'author_id', 'automation_id', 'campaign_id', 'template_name', 'category', 'billable'],
  ...['country', 'at', 'sent_at', 'delivered_at', 'read_at', 'failed_at'],
]
export const AUTOMATION = ['id', 'account_id', 'kind', 'name', 'active', 'place', 'rules', 'created_at', 'updated_at']
export const SAVED_REPLY = ['id', 'name', 'text', 'created_at', 'updated_at']
export const WEBHOOK_EVENT = ['id', 'account_id', 'changes', 'received_at', 'handled_at']
export const SHARE = ['id', 'campaign_id', 'created_at', 'expires_at', 'revoked_at', 'last_viewed_at']
export const ATTACHMENT = ['id', 'campaign_id', 'name', 'type', 'size', 'created_at']
export const CONTACT_FIELD = [
  'id',
  'name',
  'label',
  'type',
  'choices',
  'default_value',
  'created_at',
  'updated_at',
  'deleted_at',
]
export const CONTACT_MERGE = ['id', 'contact_id', 'other', 'before', 'merged_by', 'at']
export const CONTACT_JOB = [
  'id',
  'action',
  'value',
  'filter',
  'requested_by',
  'state',
  'total',
  'processed',
  'changed',
  'created_at',
  'finished_at',
]
export const IMPORT = [
  ...[
    'id',
    'list_id',
    'file_name',
    'mapping',
    'state',
    'total',
    'imported',
    'updated',
    'skipped',
    'error_count',
    'consent',
    'consents',
    'agreed',
    'error',
  ],
  ...['created_at', 'started_at', 'finished_at'],
]
export const ORIGIN = 'id contact_id source_url found_at job_id evidence basis basis_note added_by at'.split(' ')
export const COLLECTION = [
  ...['id', 'kind', 'settings', 'hosts', 'url_count', 'state', 'state_text', 'pages_fetched', 'found', 'skipped'],
  ...['created_at', 'started_at', 'finished_at'],
]
export const PAGE_READ = ['id', 'job_id', 'url', 'depth', 'state', 'reason', 'reason_text', 'at']
export const RESULT = [
  ...['id', 'job_id', 'value', 'source_url', 'page_title', 'context', 'method', 'confidence', 'person_name'],
  ...['organization', 'mx', 'is_disposable', 'is_role', 'is_free', 'type', 'country', 'list_id', 'found_at'],
]
export const PACE = [
  'sender_id',
  'receiver',
  'connections',
  'per_second',
  'per_hour',
  'slowed_to',
  'slowed_from',
  'slowed_at',
  'response',
]
export const PAUSE = ['sender_id', 'receiver', 'paused_until', 'pauses', 'response']
export const JOURNEY = [
  ...['id', 'name', 'state', 'state_text', 'definition', 'entered', 'activated_at', 'created_at', 'updated_at'],
]
export const JOURNEY_STEP = ['journey_id', 'step_id', 'entered', 'campaign_id']
export const JOURNEY_PERSON = [
  ...['id', 'journey_id', 'contact_id', 'state', 'step_id', 'due_at', 'entered_at', 'ended_at'],
]
