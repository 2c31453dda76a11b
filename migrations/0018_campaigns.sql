alter table campaigns add column reply_to text;
alter table campaigns add column preheader text not null default '';
alter table campaigns add column from_name text not null default '';
comment on column campaigns.reply_to is 'Where replies go; null: to the From address.';
comment on column campaigns.preheader is 'What inboxes show after the subject, Liquid; empty: the beginning of the email.';
comment on column campaigns.from_name is 'The name beside the sender''s From address; empty: the sender''s own name.';
