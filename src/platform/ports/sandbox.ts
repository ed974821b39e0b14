import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'

/** A place to run untrusted programs. */
export interface Sandbox {
  /** Starts a program that can access only what is listed here of this machine. */
  start(program: SandboxedProgram): Promise<SandboxedProcess>
}

export interface SandboxedProgram {
  /** The command and its arguments, with paths inside the sandbox. */
  command: string[]
  /** Its complete environment. */
  environment: Record<string, string>
  /** Files and folders of this machine that are readable inside, in addition to the system's programs and fonts. */
  readable: { from: string; to: string }[]
  /** Ports of its own loopback. A connection to one of them from inside reaches the service, and nothing else. */
  ports: SandboxPort[]
  /** Further channels in both directions, as file descriptors 3 and up. */
  channels: number
  limits: SandboxLimits
  /** A browser creates its own sandbox inside; all other programs must not be able to. */
  nestsSandboxes: boolean
}

export interface SandboxPort {
  port: number
  /** Open connections. Further ones are refused; a program that keeps trying is ended. */
  mostConnections: number
  onConnection(socket: Socket): void
}

export interface SandboxLimits {
  /** Memory of all its processes together, including kernel memory. */
  megabytes: number
  /** Memory that one process may reserve for data, used or not; Node itself reserves 600 MB. */
  processMegabytes?: number
  /** Processes and threads together. */
  threads: number
  /** Files and connections that one process may have open. */
  openFiles?: number
  /** Space for files, which are in memory and disappear with it. */
  filesMegabytes: number
  /** Files, folders and links of any size. */
  files: number
}

export interface SandboxedProcess {
  stdout: Readable
  stderr: Readable
  channels: Duplex[]
  /** Its end, and that of everything it started. */
  ended: Promise<SandboxEnd>
  /** Memory of all its processes. */
  residentMegabytes(): number
  /** Ends it and everything it started; resolves when nothing is left. */
  kill(): Promise<void>
}

export interface SandboxEnd {
  exitCode: number | null
  /** The limit that it exceeded, if it was ended for that. */
  exceeded?: Exceeded
}

export interface Exceeded {
  limit: 'memory' | 'files' | 'connections'
  /** In megabytes, files, or open connections. */
  most: number
}
