/** Backups: one file of every row, made while the server goes on, and brought back into an empty database. */
export { BackupError, type BackupReader, type Header, openBackup } from './format.ts'
export { restoreJobs } from './jobs.ts'
export { findLastBackup, saveLastBackup } from './last.ts'
export { checkRestored, clearUnused, finishRestore, readHeader, restoreBackup } from './restore.ts'
export { writeBackup } from './write.ts'
