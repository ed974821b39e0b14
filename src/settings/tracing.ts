import { z } from 'zod'

const url = z.url({ protocol: /^https?$/, error: 'is an http:// or https:// URL' })

/**
 * Traces by OpenTelemetry, by its standard variables. The exporter reads those for headers, timeouts, compression and certificates
 * from the environment by itself.
 */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe(
      'OpenTelemetry collector to send traces to; `/v1/traces` is appended. If not set, none are sent.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url
    .optional()
    .describe('The same for traces alone, as the whole URL.')
    .meta({ shown: 'from OTEL_EXPORTER_OTLP_ENDPOINT' }),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/json'], { error: 'is http/json: traces are sent over HTTP as JSON' })
    .default('http/json')
    .describe('How traces are sent.'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe('Which calls are traced.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('is a number from 0 to 1')
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of the calls that is traced, where the sampler is one by ratio.'),
  OTEL_SERVICE_NAME: z.string().min(1).default('winnow').describe('Name of the service in traces.'),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false').describe('`true` sends no traces.'),
}

export function tracingOf(found: z.output<z.ZodObject<typeof tracingVariables>>) {
  const endpoint =
    found.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    found.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/*$/, '/v1/traces')
  return {
    /** Undefined: no traces. */
    endpoint: found.OTEL_SDK_DISABLED === 'true' ? undefined : endpoint,
    sampler: found.OTEL_TRACES_SAMPLER,
    ratio: found.OTEL_TRACES_SAMPLER_ARG,
    serviceName: found.OTEL_SERVICE_NAME,
  }
}
