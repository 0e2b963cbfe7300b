# Completion of tenant-sync in bash. To load it, add this line to ~/.bashrc:
#   eval "$(tenant-sync completion bash)"
_tenant_sync() {
  local word IFS=$'\n'
  local -a words=()
  # bash splits words at = as well.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == = ]] || words+=("$word")
  done
  [[ ${COMP_WORDS[COMP_CWORD]} == = ]] && words+=('')
  COMPREPLY=($("$1" completion bash -- "${words[@]}" 2>/dev/null))
}
complete -o default -F _tenant_sync tenant-sync
