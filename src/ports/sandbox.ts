import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'

/** A place where programs run that nobody trusts. */
export interface Sandbox {
  /** Starts a program that sees nothing of this machine but what is named here. */
  start(program: SandboxedProgram): Promise<SandboxedProcess>
}

export interface SandboxedProgram {
  /** The command and its arguments, as they are called inside. */
  command: string[]
  /** All of its environment. */
  environment: Record<string, string>
  /** Files and folders of this machine that can be read inside, beside the system's programs and fonts. */
  readable: { from: string; to: string }[]
  /** Ports of its own loopback. Whoever connects to one inside is connected to the service, and to nothing else. */
  ports: SandboxPort[]
  /** Further channels in both directions, as file descriptors 3 and up. */
  channels: number
  limits: SandboxLimits
  /** A browser builds a sandbox of its own inside; all other programs are kept from that. */
  nestsSandboxes: boolean
}

export interface SandboxPort {
  port: number
  /** Connections that are open at the same time. Who asks for more is refused; who does not stop asking is ended. */
  mostConnections: number
  onConnection(socket: Socket): void
}

export interface SandboxLimits {
  /** Memory of all its processes together, and of what the kernel holds for them. */
  megabytes: number
  /** Memory that one of them may reserve for data, used or not; a Node alone reserves 600 MB. */
  processMegabytes?: number
  /** Processes and threads together. */
  threads: number
  /** Files and connections that one process may have open. */
  openFiles?: number
  /** Room for files, which live in memory and end with it. */
  filesMegabytes: number
  /** Files, folders and links, however small. */
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
  /** Ends it and everything it started; answers when nothing is left. */
  kill(): Promise<void>
}

export interface SandboxEnd {
  exitCode: number | null
  /** The limit that it was ended for, if it was. */
  exceeded?: Exceeded
}

export interface Exceeded {
  limit: 'memory' | 'files' | 'connections'
  /** In megabytes, files, or connections at the same time. */
  most: number
}
