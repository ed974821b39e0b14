import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Returns the record of an earlier run; undefined if it is missing or unreadable. Every record can be created again.
 * @param {string} file
 */
export function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * @param {string} file
 * @param {unknown} record
 */
export function writeRecord(file, record) {
  mkdirSync(dirname(file), { recursive: true })
  // A rename is atomic, so a run that is killed here leaves no partial record.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`)
  renameSync(draft, file)
}

/** @param {string} file */
export function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
