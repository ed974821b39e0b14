import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { logLine } from './report.mjs'

/**
 * Does the work under a lock between processes: two concurrent commands must not install into the same folder. The lock
 * is a folder with one file, named after its owner. A rename creates it, which succeeds only if the folder is missing
 * or empty. Removing the file of a dead owner can therefore never remove the file of a new owner.
 * @template Result
 * @param {string} folder
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withLock(folder, work) {
  const owner = getOwnerName(process.pid)
  await acquire(folder, owner)
  try {
    return await work()
  } finally {
    rmSync(join(folder, owner), { force: true })
  }
}

/**
 * @param {string} folder
 * @param {string} owner
 */
async function acquire(folder, owner) {
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  try {
    writeFileSync(join(draft, owner), '')
    let hasAnnounced = false
    while (!moveInto(draft, folder)) {
      const otherOwner = removeDeadOwner(folder)
      if (otherOwner === undefined) continue
      if (!hasAnnounced) logLine(`Waiting for another preparation to end (process ${pidOf(otherOwner)})`)
      hasAnnounced = true
      await pause(200)
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * @param {string} draft
 * @param {string} folder
 */
function moveInto(draft, folder) {
  try {
    renameSync(draft, folder)
    return true
  } catch (error) {
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * @param {string} folder
 * @returns {string | undefined} the owner, if its process still runs
 */
function removeDeadOwner(folder) {
  const [owner] = readdirSync(folder)
  if (owner === undefined) return undefined
  if (owner === getOwnerName(pidOf(owner)) && pidOf(owner) !== process.pid) return owner
  rmSync(join(folder, owner), { force: true })
  return undefined
}

/** @param {string} owner */
function pidOf(owner) {
  return Number(owner.split('-')[0])
}

/**
 * Returns the id and the start time of a process, because a restarted container reuses process ids.
 * @param {number} pid
 */
function getOwnerName(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') return `${pid}-gone`
  }
  try {
    // The name of the program is in parentheses and may contain spaces; the start time is the 20th field after it.
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop() ?? ''
    return `${pid}-${afterName.split(' ')[19]}`
  } catch {
    return `${pid}-running`
  }
}
