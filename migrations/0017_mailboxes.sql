-- Mailboxes that could not be looked into are asked less and less often, and a password that is not taken hardly at all.
alter table gmail_accounts add column read_after timestamptz;
alter table gmail_accounts add column read_failures integer not null default 0;
