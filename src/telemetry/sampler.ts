import type { Sampler } from '@opentelemetry/sdk-trace'

export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

type Sdk = Pick<
  typeof import('@opentelemetry/sdk-trace'),
  'AlwaysOnSampler' | 'AlwaysOffSampler' | 'TraceIdRatioBasedSampler' | 'ParentBasedSampler'
>

/** The sampler that OTEL_TRACES_SAMPLER names; the library leaves that to its user. */
export function samplerOf(sdk: Sdk, { sampler, ratio }: { sampler: SamplerName; ratio: number }): Sampler {
  const root = rootSampler(sdk, sampler.replace('parentbased_', ''), ratio)
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}

function rootSampler(sdk: Sdk, name: string, ratio: number): Sampler {
  if (name === 'always_off') return new sdk.AlwaysOffSampler()
  return name === 'traceidratio' ? new sdk.TraceIdRatioBasedSampler(ratio) : new sdk.AlwaysOnSampler()
}
