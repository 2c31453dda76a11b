const labels: Record<string, string> = {
  excluded: 'Excluded by the lists and segments of the campaign',
  pending: 'Has not confirmed a list yet',
  left_list: 'Left the lists of the campaign',
  unsubscribe: 'Unsubscribed',
  complaint: 'Reported an email as spam',
  hard_bounce: 'The address does not exist',
  soft_bounce: 'Bounced repeatedly',
  manual: 'Suppressed by you',
  import: 'Suppressed by an import',
  removed: 'The contact was removed',
  sample: 'A sample contact',
  no_lawful_basis: 'Found on web pages, without a recorded lawful basis',
  no_consent: 'No consent is recorded',
  replied: 'Replied before',
  clicked: 'Clicked before',
  paused: 'Paused emails on the preference page',
  frequency_cap: 'Reached the weekly limit',
  hard: 'The address can’t receive email',
  soft: 'Rejected by the mail server',
  block: 'Blocked because of the sender',
  expired: 'Not accepted in time',
}

/** Why a recipient was skipped or an email was not delivered, in words; a reason without words is returned as it is. */
export const labelMessageReason = (reason: string): string => labels[reason] ?? reason
