-- The spreadsheet a campaign goes to, instead of lists chosen by hand.
alter table campaigns add column merge_import_id bigint references imports (id) on delete set null;

-- The subject as it went out: a thread has one, whatever the contact is called by the time of its follow-ups.
alter table gmail_messages add column subject text not null default '';
-- What comes back names the message it is about.
create index gmail_messages_rfc on gmail_messages (sender_id, rfc_id) where rfc_id <> '';

-- Why a mailbox could not be looked into; and somebody is looking into it until then.
alter table gmail_accounts add column read_text text not null default '';
alter table gmail_accounts add column reading_until timestamptz;
