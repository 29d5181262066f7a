/**
 * What a person typed, of what Antigravity hands to its model: the request stands between tags, and behind it the time,
 * the open files, and which settings were changed.
 */
export function requestIn(content: string): string {
  const request = REQUEST.exec(content)?.[1] ?? content;
  return request.replace(METADATA, "").trim();
}

/** The model that a person chose with a request. */
export function chosenModel(content: string): string | undefined {
  return MODEL.exec(content)?.[1]?.trim();
}

/** To the last closing tag, since a request may speak of such tags itself. */
const REQUEST = /<USER_REQUEST>([\s\S]*)<\/USER_REQUEST>/;
const METADATA = /<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>[\s\S]*?<\/\1>/g;
const MODEL = /setting `Model Selection` from .*? to (.+?)\.(?:\s|$)/;
