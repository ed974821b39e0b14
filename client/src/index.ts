export type { SessionEnd, SessionStatus } from './browser-session.ts'
export { BrowserSession, type ExecuteOptions, type ExecuteResult } from './browser-session.ts'
export { type AgentJob, DataJob, type ExtractJob } from './data-job.ts'
export * from './errors.ts'
export type { ServerEvent } from './event-stream.ts'
export type * from './method-types.ts'
export type { InstallationOverview, ListOptions, Operator, TeamChanges, TeamOptions } from './operator.ts'
export type {
  DownloadFormat,
  JobProgress,
  PagesErrors,
  PagesJobKind,
  PagesResult,
  ReadOptions,
} from './pages-job.ts'
export { PagesJob } from './pages-job.ts'
export type { RetryPolicy, RetryPolicy as Repeatable } from './retry-policy.ts'
export type { StartOptions, StartResponse } from './start-job.ts'
export type { Call, CallOptions, WinnowOptions } from './transport.ts'
export type * from './types.ts'
export type { NamedFile, Upload } from './upload.ts'
export { type VerifyOptions, verifyWebhook, type WebhookEvent, WebhookSignatureError } from './webhook.ts'
export { Winnow } from './winnow.ts'
