alter table senders add column ramp_days smallint check (ramp_days in (14, 30));
alter table senders add column ramp_from timestamptz;
comment on column senders.ramp_days is 'Length of its ramp-up plan in days; null: none. Only of mail servers: Gmail accounts have gmail_accounts.ramp_up.';
comment on column senders.ramp_from is 'When the first message under its plan left; null: none has.';
