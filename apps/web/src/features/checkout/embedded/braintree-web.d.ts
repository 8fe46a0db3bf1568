/** The parts of braintree-web that the card form uses; the package ships no types. */
declare module 'braintree-web/client' {
  export interface Client {
    teardown(): Promise<void>
  }
  export function create(options: { authorization: string }): Promise<Client>
}

declare module 'braintree-web/hosted-fields' {
  import type { Client } from 'braintree-web/client'

  interface Field {
    container: HTMLElement
    /** Accessible name of the frame and its field. */
    iframeTitle?: string
    internalLabel?: string
  }
  export interface HostedFields {
    tokenize(): Promise<{ nonce: string }>
    teardown(): Promise<void>
    on(event: 'focus' | 'blur' | 'validityChange', handler: (event: FieldEvent) => void): void
  }
  export interface FieldEvent {
    emittedBy: 'number' | 'expirationDate' | 'cvv'
    fields: Record<
      string,
      { container: HTMLElement; isFocused: boolean; isPotentiallyValid: boolean } | undefined
    >
  }
  export function create(options: {
    client: Client
    fields: { number: Field; expirationDate: Field; cvv: Field }
    styles: Record<string, Record<string, string>>
  }): Promise<HostedFields>
}
