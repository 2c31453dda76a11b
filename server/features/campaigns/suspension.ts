/** What a campaign says that does not go on because its account is suspended. */
export const SUSPENDED = 'Paused: the account was suspended. Nothing is lost; resume it once the account is open again.'
