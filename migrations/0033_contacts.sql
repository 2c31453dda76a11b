alter table imports add column suppress text check (suppress in ('import', 'unsubscribe', 'complaint', 'hard_bounce'));
comment on column imports.suppress is 'The rows are suppressed, for this reason, and not added as contacts; null: they are contacts.';
