import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'

/** Sandbox for untrusted programs. */
export interface Sandbox {
  /** Starts a program that can access only the listed parts of this machine. */
  start(program: SandboxedProgram): Promise<SandboxedProcess>
}

export interface SandboxedProgram {
  /** Command and its arguments, with paths inside the sandbox. */
  command: string[]
  /** Complete environment of the program. */
  environment: Record<string, string>
  /** Files and folders of this machine that are readable inside, in addition to the system's programs and fonts. */
  readable: { from: string; to: string }[]
  /** Ports of the loopback in the sandbox. Connections to them are passed to the service; there is no other network. */
  ports: SandboxPort[]
  /** Number of two-way channels, as file descriptors 3 and up. */
  channels: number
  limits: SandboxLimits
  /** True for a browser, which creates its own sandbox inside. Other programs must not be able to create one. */
  nestsSandboxes: boolean
}

export interface SandboxPort {
  port: number
  /** Maximum number of open connections. Further connections are rejected; a program that keeps trying is ended. */
  maxConnections: number
  onConnection(socket: Socket): void
}

export interface SandboxLimits {
  /** Memory of all processes together, including kernel memory. */
  megabytes: number
  /** Memory that one process may reserve for data, used or not; Node itself reserves 600 MB. */
  processMegabytes?: number
  /** Number of processes and threads together. */
  threads: number
  /** Number of files and connections that one process may have open. */
  openFiles?: number
  /** Space for files per writable folder. Files are in memory and disappear with the sandbox. */
  filesMegabytes: number
  /** Number of files, folders and links of any size. */
  files: number
}

export interface SandboxedProcess {
  stdout: Readable
  stderr: Readable
  channels: Duplex[]
  /** Resolves when the program and all processes that it started have ended. */
  ended: Promise<SandboxEnd>
  /** Returns the memory of all processes. */
  residentMegabytes(): number
  /** Ends the program and all processes that it started; resolves when no process is left. */
  kill(): Promise<void>
}

export interface SandboxEnd {
  exitCode: number | null
  /** Limit that the program exceeded, if it was ended for that. */
  exceeded?: Exceeded
}

export interface Exceeded {
  limit: 'memory' | 'files' | 'connections'
  /** Maximum in megabytes, files, or open connections. */
  max: number
}
