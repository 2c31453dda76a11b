-- The country of phone numbers that a file writes without one, and how many numbers could not be read.
alter table imports add column country text, add column invalid_phones bigint not null default 0;
