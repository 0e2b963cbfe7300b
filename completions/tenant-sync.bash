# Completion of tenant-sync in bash. To load it, add this line to ~/.bashrc:
#   eval "$(tenant-sync completion bash)"
_tenant_sync() {
  local rest=$COMP_LINE current=${COMP_WORDS[COMP_CWORD]} before='' kind='' word i last=-1
  local -a words=()
  # bash splits words at = and : as well. What has no blank before it belongs to the word before it.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if ((i == 0)) || [[ -z $rest || $rest == [[:blank:]]* ]]; then
      rest=${rest#"${rest%%[![:blank:]]*}"}
      last=$((last + 1))
      words[last]=''
    fi
    words[last]+=${COMP_WORDS[i]}
    rest=${rest#"${COMP_WORDS[i]}"}
  done
  # bash replaces only what follows the last of these characters.
  [[ $current == [=:] ]] && current=''
  before=${words[last]%"$current"}
  COMPREPLY=()
  while IFS= read -r word; do
    if [[ -z $kind ]]; then
      kind=$word
      continue
    fi
    word=${word%%$'\t'*}
    case ${words[last]} in
      [\'\"]*)
        # Words that would end the quotes, or mean something else in them, are left out.
        [[ $word == *[\'\"\\\$\`!]* ]] && continue
        ;;
      *) printf -v word '%q' "$word" ;;
    esac
    COMPREPLY+=("${word#"$before"}")
  done < <("$1" completion bash -- "${words[@]:1}" 2>/dev/null)
  case $kind in
    folders) compopt -o dirnames 2>/dev/null ;;
    files) compopt -o default 2>/dev/null ;;
  esac
  if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *[/=] ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
complete -F _tenant_sync tenant-sync
