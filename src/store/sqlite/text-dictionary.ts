/**
 * What the texts of coding sessions are full of: messages of tools, commands, beginnings of code, plain English. Packed
 * texts refer to it, so that short ones shrink too. What is likeliest stands last, where a reference is shortest.
 *
 * Stores hold references into it: it is never edited, only followed by another one.
 */
export const FIRST_DICTIONARY = Buffer.from(`
Exit code 0 Exit code 1 Wall time: Output: Chunk ID: Process exited with code Original token count: Total output lines: <tool_use_error> </tool_use_error> String to replace not found in file. File has not been read yet. Read it first before writing to it. File has been modified since read. Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable. No files found. No matches found. Found 1 file. The user doesn't want to proceed with this tool use. The tool use was rejected. Request interrupted by user for tool use
"pending","in_progress","completed","cancelled","priority":"high","medium","low","status":"activeForm":"todos":[{"content":"id":"1"
{"command":"cd /home/user/ && git status --short && git diff --stat && git log --oneline -5","description":"workdir":"timeout":120000,"timeout_ms":"justification":"sandbox_permissions":"require_escalated"
{"file_path":"/home/user/project/src/","old_string":"new_string":"replace_all":false,"pattern":"path":"glob":"output_mode":"content","-n":true,"-A":3,"head_limit":"offset":"limit":100,"query":"url":"https://github.com/","prompt":"subagent_type":"general-purpose"
*** Begin Patch
*** Update File: src/
*** Add File: *** Delete File: *** End Patch
diff --git a/src/ b/src/
index 0000000..100644
--- a/
+++ b/
@@ -1,6 +1,7 @@
On branch main Your branch is up to date with 'origin/main'. Changes not staged for commit: Untracked files: nothing to commit, working tree clean modified: deleted: new file: files changed, insertions(+), deletions(-) create mode 100644 commit Author: Date: Merge pull request Co-Authored-By:
drwxr-xr-x 2 user user 4096 Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec -rw-r--r-- 1 root root total
npm run build npm test npm install npm error npx tsc --noEmit vitest run pytest -q cargo build cargo test go test ./... make docker compose up pip install python3 -c node -e 2>&1 | head -50 | tail -20 | grep -n "sed -n '1,200p' /dev/null cat ls -la find . -name "*.ts" -not -path "*/node_modules/*" mkdir -p rm -rf curl -s http://localhost:3000/api/ 127.0.0.1
Test Files passed (1) Tests failed Duration Start at PASS FAIL expected received AssertionError: TypeError: Cannot read properties of undefined (reading ' SyntaxError: Unexpected token ReferenceError: is not defined Error: Cannot find module ENOENT: no such file or directory, open ' permission denied command not found Traceback (most recent call last): File "", line in <module> raise ValueError( ModuleNotFoundError: No module named ' warning: error[E0 panicked at at Object.<anonymous> (node:internal/ at async Promise.all (index 0) at process.processTicksAndRejections
#!/usr/bin/env bash
set -euo pipefail
# -*- coding: utf-8 -*-
"""
import os
import sys
import json
from pathlib import Path
from typing import Any, Dict, List, Optional
from datetime import datetime
def __init__(self, ) -> None:
        self.
    def test_
        return None
        if not isinstance(
        for in range(len(
    try:
    except Exception as e:
        logger.info(f"
        print(f"
if __name__ == "__main__":
    main()
package main
import (
	"context"
	"fmt"
func (s *) error {
	if err != nil {
		return nil, fmt.Errorf("failed to : %w", err)
	}
use std::collections::HashMap;
pub fn new() -> Self {
impl for let mut = match Some( None => Ok(()) Err(e) => .unwrap() .to_string() #[derive(Debug, Clone)] #[test]
public static void main(String[] args) private final String @Override throws Exception
<div className="flex items-center justify-between <span className="text-sm text-gray-500"> </span> </div> <button onClick={() => </button> <p> </p> <a href=" </a> <li> </li> style={{ display: "flex" }}
SELECT id, name, created_at, updated_at FROM users WHERE id = $1 ORDER BY created_at DESC LIMIT INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE IF NOT EXISTS TEXT NOT NULL PRIMARY KEY DEFAULT REFERENCES
{
  "name": "version": "1.0.0",
  "description": "",
  "main": "index.js",
  "type": "module",
  "scripts": { "build": "tsc", "test": "dev": "start": "lint": "eslint ." },
  "dependencies": { "devDependencies": { "typescript": "^5.
"use strict";
import React, { useState, useEffect, useCallback, useMemo, useRef } from "react";
import { describe, expect, it, beforeEach, afterEach, vi } from "vitest";
import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { } from "../
export default function (
export const = async (
export interface {
  readonly id: string;
  name: string;
  value: number;
  enabled: boolean;
  data?: unknown;
export type =
export class extends Error {
  constructor(private readonly options:
    super(message);
    this.name =
module.exports = require("
async function (): Promise<void> {
  const result = await
  const { data, error } =
  if (!response.ok) throw new Error(\`
  if ( === undefined) return null;
  } else if (
  } catch (error) {
    console.error("Failed to
    console.log(
  for (const of
  return {
    ...
  };
.map((item) => .filter((x) => .length === 0 .toString() .push( JSON.stringify( JSON.parse( Object.keys( Array.isArray( typeof === "string" process.env. setTimeout(() => new Map<string, number>(); .toBe(true); .toEqual([ expect( it("should describe("
I'll help you with that. Let me start by looking at the code. Let me check how this works. Let me read the file to understand the current implementation. Now I have a clear picture. Now let me update the tests. I need to understand the structure of the project first. Let me run the tests to make sure everything works. All tests pass. Perfect! Great! The issue is that the problem was caused by because of this means that which is why in order to make sure that we should be able to as well as instead of rather than at the same time.
## Summary
### Changes
### What I did
### Next steps
- **Added**
- **Fixed**
- **Updated**
1. **
2. **
3. **
\`\`\`bash
\`\`\`typescript
\`\`\`python
\`\`\`json
\`\`\`
The file has been updated successfully. Here's the result of running \`cat -n\` on a snippet of the edited file:
The file has been created successfully at:
     1→
     2→
     3→
    10→
    11→
    12→
    20→
   100→
   101→
 the following files and the other is not a function to implement the user's request that would require additional changes before the next step should I proceed with this approach? Please let me know if you want me to continue with the implementation, using the existing configuration when there is an error in the response from the server. This will allow the client to use the default value for each of these options without having to change the code. The function returns the number of results and does not throw an exception. It looks like the current session has been completed, so we can now add support for the new version of the component, create a separate test for the database connection, and then remove the old implementation from the module.`);
