import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * What an earlier run remembered; nothing when there is none or it cannot be read, since every record can be made again.
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
  // Renamed into place: a run that is killed here must not leave half a record.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`)
  renameSync(draft, file)
}

/** @param {string} file */
export function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
