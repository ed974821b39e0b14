import { z } from 'zod'
import { folderOrOff, list } from './fields.ts'

export const consoleVariables = {
  CONSOLE_PATH: folderOrOff()
    .describe('Folder of the built console; `off` serves none. If not set, the start builds it.')
    .meta({ shown: 'built' }),
}

export const webhookVariables = {
  WEBHOOK_RETRIES: list()
    .pipe(
      z
        .array(
          z
            .string()
            .regex(/^\d{1,6}$/, 'is a list of seconds')
            .transform(Number),
        )
        .max(20),
    )
    .default([60, 300, 900])
    .describe('Seconds before each further attempt to deliver a webhook, comma-separated.')
    .meta({ shown: '60,300,900' }),
  WEBHOOK_SECRET: z
    .string()
    .min(16, 'has at least 16 characters')
    .optional()
    .describe(
      'Signs deliveries for teams without their own secret (key set --webhook-secret): the first team with this secret, each other team with a secret that is derived from it (key show).',
    )
    .meta({ shown: 'not signed' }),
}

export function readWebhookSettings(values: z.output<z.ZodObject<typeof webhookVariables>>) {
  return {
    retryDelaysMs: values.WEBHOOK_RETRIES.map((seconds) => seconds * 1000),
    secret: values.WEBHOOK_SECRET,
  }
}

const url = z.url({ protocol: /^https?$/, error: 'is an http:// or https:// URL' })

/** The exporter itself reads the variables for headers, timeouts, compression and certificates. */
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

export function readTracingSettings(values: z.output<z.ZodObject<typeof tracingVariables>>) {
  const endpoint =
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/*$/, '/v1/traces')
  return {
    endpoint: values.OTEL_SDK_DISABLED === 'true' ? undefined : endpoint,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    serviceName: values.OTEL_SERVICE_NAME,
  }
}
