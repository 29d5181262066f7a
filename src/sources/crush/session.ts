/** What is known of the session that is being read. */
export interface Session {
  readonly id: string;
  isSubagent: boolean;
  /** Id of the message that sums up what was said before it. */
  summary: string | undefined;
  /** Names of tools by call, since the first versions don't name them in results. */
  readonly tools: Map<string, string>;
  /** Records that were read. */
  read: number;
}
