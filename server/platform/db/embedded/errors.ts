/** The embedded database cannot be started; the message is one line for the operator, who can do something about it. */
export class DatabaseStartError extends Error {}

/** Another server uses this data folder. */
export class DatabaseBusy extends DatabaseStartError {}
